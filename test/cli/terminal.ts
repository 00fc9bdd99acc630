import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import type { Cli } from '../../src/cli/cli.ts'
import type { ExitCode } from '../../src/cli/exit-codes.ts'
import { createOutput } from '../../src/cli/output.ts'
import { runCli } from '../../src/cli/program.ts'
import { systemClock, type Clock } from '../../src/shared/clock.ts'

export interface Said {
  readonly out: string
  readonly err: string
  readonly code: ExitCode
}

export interface Terminal {
  /** Home and working folder of the command. */
  readonly folder: string
  readonly columns: number
  /** False for pipes. */
  readonly isTTY: boolean
  /** Input of the user at the terminal. When absent, stdin is an empty pipe. */
  readonly keys?: Readable
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Keeps a server running until it resolves. `said` returns the error output so far. When absent, the server ends at once. */
  readonly stays?: (said: () => string) => Promise<unknown>
  /** Receives output as it is written. */
  readonly onText?: (which: 'out' | 'err', text: string) => void
  /** Receives what Ctrl-C does. */
  readonly onInterrupt?: (interrupt: () => void) => void
  /** Added to the variables that keep a command within its folder. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command in this process and returns both output streams. */
export async function saidOn(
  { folder, columns, isTTY, keys, clock = systemClock, stays, env: more = {}, ...on }: Terminal,
  args: readonly string[],
): Promise<Said> {
  const text = { out: '', err: '' }
  let isOver = false
  const env = { HOME: folder, TUTTI_DATA: join(folder, 'data'), COLUMNS: String(columns), ...more }
  const output = (which: 'out' | 'err') => {
    const write = (said: string): boolean => {
      text[which] += said
      on.onText?.(which, said)
      return true
    }
    return createOutput({ isTTY, columns, write }, env)
  }
  const cli: Cli = {
    out: output('out'),
    err: output('err'),
    stdin: (keys ?? new PassThrough()) as unknown as NodeJS.ReadStream,
    env,
    cwd: folder,
    globals: {},
    clock,
    onInterrupt: (interrupt) => {
      on.onInterrupt?.(interrupt)
      return () => undefined
    },
    untilStopped: async () => void (await stays?.(() => text.err)),
    kill: (code) => {
      // A process would have ended by then.
      if (isOver) return undefined as never
      throw new Error(`killed with ${code}`)
    },
  }
  const code = await runCli(args, cli)
  isOver = true
  return { ...text, code }
}

/** The words of every command in the order of the help; empty for the program itself. */
export async function allCommands(folder: string, path: readonly string[] = []): Promise<(readonly string[])[]> {
  const { out } = await saidOn({ folder, columns: 100, isTTY: true }, [...path, '--help'])
  const list = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(out)?.[1] ?? ''
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help')
  return [path, ...(await Promise.all(names.map((name) => allCommands(folder, [...path, name])))).flat()]
}
