import type { Key } from 'node:readline'
import type { Cli } from './cli.ts'
import { TuttiError } from '../domain/errors.ts'

type Clack = typeof import('@clack/prompts')
type Io = Pick<Parameters<Clack['confirm']>[0], 'input' | 'output' | 'signal' | 'withGuide'>

/** Whether there is a person at a terminal who can be asked. */
export function canAsk({ stdin, err }: Pick<Cli, 'stdin' | 'err'>): boolean {
  return stdin.isTTY && err.isTty
}

/**
 * Asks the person at the terminal; undefined when they leave the question by Ctrl-C or Ctrl-D, when the input ends, or on
 * abort. `@clack/prompts` alone waits indefinitely after Ctrl-D, which closes its input.
 */
export async function promptUser<T>(
  { stdin }: Pick<Cli, 'stdin'>,
  ask: (clack: Clack, io: Io) => Promise<T>,
  signal?: AbortSignal,
): Promise<Exclude<T, symbol> | undefined> {
  const clack = await import('@clack/prompts')
  const left = new AbortController()
  const leave = (): void => left.abort()
  const onKey = (_text: string | undefined, key: Key): void => {
    if (key.ctrl === true && key.name === 'd') leave()
  }
  stdin.on('keypress', onKey).once('end', leave)
  try {
    const either = AbortSignal.any(signal === undefined ? [left.signal] : [left.signal, signal])
    const answer = await ask(clack, { input: stdin, output: process.stderr, signal: either, withGuide: false })
    return clack.isCancel(answer) ? undefined : (answer as Exclude<T, symbol>)
  } finally {
    stdin.off('keypress', onKey).off('end', leave)
  }
}

interface Confirmation {
  /** What would be done, as a question without its mark: `Delete run 1a2b3c4d`. */
  readonly what: string
  /** Whether `--yes` was given. */
  readonly yes: boolean | undefined
  /** `false` if the action can be undone. */
  readonly isFinal?: boolean
}

/**
 * Asks before something is deleted, overwritten or trusted; `--yes` answers in advance.
 * @throws TuttiError `InvalidRequest` if there is no terminal to ask at
 */
export async function askConfirmation(cli: Cli, { what, yes = false, isFinal = true }: Confirmation): Promise<boolean> {
  if (yes) return true
  const message = isFinal ? `${what}? This cannot be undone.` : `${what}?`
  if (!canAsk(cli)) throw new TuttiError('InvalidRequest', `${message} Add --yes to do it.`)
  const isYes = await promptUser(cli, ({ confirm }, io) => confirm({ ...io, message, initialValue: false }))
  if (isYes !== true) cli.err.line('Nothing was changed.')
  return isYes === true
}
