import { Readable } from 'node:stream'
import type { Cli } from '../../src/cli/cli.ts'
import { createOutput } from '../../src/cli/output.ts'
import { runCli } from '../../src/cli/program.ts'
import { ownCommand } from '../../src/cli/own-command.ts'
import { systemClock } from '../../src/shared/clock.ts'
import type { Outcome } from './support.ts'

interface CommandLine {
  readonly script: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly input?: string
}

/**
 * A command as the published program runs it, in the process of the test: a process of its own takes longer to start than
 * most commands run. Signals and a terminal need a process.
 */
export async function runHere({ script, args, env, cwd, input }: CommandLine): Promise<Outcome> {
  const said = { out: '', err: '' }
  const stream = (name: 'out' | 'err') => ({ write: (text: string) => ((said[name] += text), true) })
  const cli: Cli = {
    out: createOutput(stream('out'), env),
    err: createOutput(stream('err'), env),
    self: ownCommand({ script, env, cwd }),
    // As /dev/null has it where nothing is given.
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]) as NodeJS.ReadStream,
    env,
    cwd,
    globals: {},
    clock: systemClock,
    onInterrupt: () => () => undefined,
    untilStopped: () => new Promise(() => undefined),
    kill: (code) => {
      throw new Error(`The process would end with ${code}, and here it cannot.`)
    },
  }
  const code = await runCli(args, cli)
  return { code, signal: null, ...said }
}
