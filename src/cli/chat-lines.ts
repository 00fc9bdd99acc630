import type { Cli } from './cli.ts'

/** The user's input, line by line. */
export interface Lines {
  /** Returns undefined at the end of the input. */
  next(): Promise<string | undefined>
  close(): void
}

const PROMPT = '> '

/**
 * Reads lines from a pipe, or from a terminal with earlier questions in the history.
 * @param earlier oldest first
 */
export async function createLines(cli: Cli, earlier: readonly string[]): Promise<Lines> {
  const { createInterface } = await import('node:readline')
  if (!cli.stdin.isTTY) {
    const reader = createInterface({ input: cli.stdin })
    const lines = reader[Symbol.asyncIterator]()
    return {
      next: async () => ((await lines.next()) as IteratorResult<string, undefined>).value,
      close: () => reader.close(),
    }
  }
  const history = earlier.toReversed()
  return {
    // Create one interface per line: between lines the terminal belongs to the run, which may ask for approvals.
    next: () =>
      new Promise((resolve) => {
        let isWarned = false
        const reader = createInterface({
          input: cli.stdin,
          output: process.stderr,
          prompt: PROMPT,
          history: [...history],
        })
        const end = (line: string | undefined): void => {
          if (line !== undefined && line.trim() !== '') history.unshift(line)
          resolve(line)
          reader.close()
        }
        reader.once('line', end)
        reader.once('close', () => resolve(undefined))
        reader.on('SIGINT', () => {
          if (reader.line === '' && isWarned) return end(undefined)
          isWarned = reader.line === ''
          if (isWarned) cli.err.line('\nPress Ctrl-C again to end the chat, or ask on.')
          else reader.write(null, { ctrl: true, name: 'u' })
          reader.prompt()
        })
        reader.prompt()
      }),
    close: () => undefined,
  }
}
