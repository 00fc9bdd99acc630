import { TuttiError } from '../domain/errors.ts'
import type { Cli } from './cli.ts'

/** Maximum input size, longer than any question or query. It stops large files piped in by mistake. */
const MAX_CHARS = 1_000_000

/**
 * The text argument of a command: its arguments, or standard input for `-` and for a pipe without arguments.
 * @param what name for messages, such as `question`
 * @throws TuttiError `InvalidRequest` if there is none
 */
export async function textArgument(cli: Cli, words: readonly string[], what: string, example: string): Promise<string> {
  const fromPipe = words.length === 1 ? words[0] === '-' : words.length === 0 && !cli.stdin.isTTY
  const text = (fromPipe ? await readAll(cli.stdin) : words.join(' ')).trim()
  if (text === '') throw new TuttiError('InvalidRequest', `The ${what} is empty. Try: ${example}`)
  return text
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > MAX_CHARS) {
      throw new TuttiError(
        'InvalidRequest',
        `Standard input is longer than ${MAX_CHARS.toLocaleString('en')} characters.`,
      )
    }
  }
  return text
}
