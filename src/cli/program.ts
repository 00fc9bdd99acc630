import { Command, Option } from 'commander'
import type { Cli, GlobalOptions } from './cli.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { reportFailure } from './failure.ts'
import { parsePath, parsePort } from './option-values.ts'
import { addApprovalsCommands } from './program-approvals.ts'
import { addAskCommand } from './program-ask.ts'
import { addDocsCommands } from './program-docs.ts'
import { addMemoryCommands } from './program-memory.ts'
import { addPlanCommand } from './program-plan.ts'
import { addRunsCommands } from './program-runs.ts'
import { addToolCommands } from './program-tools.ts'
import { databaseOption, jsonOption } from './shared-options.ts'
import { packageVersion } from './version.ts'

/** What the commands are hung on: how to run one of them, and where its code comes from. */
export interface Program {
  readonly root: Command
  readonly cli: Cli
  globals(): GlobalOptions
  /** Wraps a command's action; its exit code becomes the program's. */
  run<A extends readonly unknown[]>(action: (...args: A) => Promise<ExitCode>): (...args: A) => Promise<void>
}

const EXAMPLES = `
Examples:
  tutti demo                                                  write a database, documents and mail to try
  tutti ask "How many customers are there?" --db sqlite:brindlemoor.sqlite
  tutti ask "What does the returns policy say?" --docs policies/
  tutti ask "Revenue by country" --db shop=postgres://reader:…@host/shop --json
  tutti db check "DELETE FROM orders" --db sqlite:brindlemoor.sqlite
  tutti runs show 1a2b3c4d --trace
  tutti doctor                                                what works, and what would leave this machine

Exit codes: 0 answered, 1 failed, 2 wrong input, 3 configuration or storage, 4 cancelled, 5 no agent succeeded.`

/** Runs one command line and gives the exit code; whatever goes wrong is said in one line. */
export async function runCli(argv: readonly string[], cli: Cli): Promise<ExitCode> {
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  try {
    const end: { code: ExitCode } = { code: EXIT.ok }
    const root = createProgram(cli, (code) => (end.code = code))
    await root.parseAsync(argv, { from: 'user' })
    return end.code
  } catch (thrown) {
    return reportFailure(cli, thrown, options.includes('--json'))
  }
}

function createProgram(cli: Cli, onEnd: (code: ExitCode) => void): Command {
  const root = new Command('tutti')
    .description('A self-hosted multi-agent assistant: asks your data, shows its sources, asks before it acts.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--data <folder>', "folder for Tutti's own data (or TUTTI_DATA)", parsePath)
    .option('--config <file>', 'configuration file; else tutti.config.* of the working directory', parsePath)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.out.write(text),
      writeErr: (text) => cli.err.write(text),
      // Said by `reportFailure`, in one line.
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(cli.out.width(), 100),
      getErrHelpWidth: () => Math.min(cli.err.width(), 100),
    })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .addHelpText('after', EXAMPLES)
  const program: Program = {
    root,
    cli,
    globals: () => root.opts<GlobalOptions>(),
    run:
      (action) =>
      async (...args) =>
        onEnd(await action(...args)),
  }
  addAskCommand(program)
  addRunsCommands(program)
  addApprovalsCommands(program)
  addToolCommands(program)
  addPlanCommand(program, (app, request) => app.plan(request))
  addDocsCommands(program)
  addMemoryCommands(program)
  addOtherCommands(program)
  return root
}

function addOtherCommands({ root, cli, globals, run }: Program): void {
  root
    .command('agents')
    .description('list the agents, what they can do and with which tools')
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { listAgents } = await import('./commands/agents.ts')
        return listAgents(cli, globals(), options)
      }),
    )
  root
    .command('doctor')
    .description('say what is configured, what works, and what would leave this machine')
    .addOption(databaseOption())
    .option('--check', 'make one small request to every model')
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { doctor } = await import('./commands/doctor.ts')
        return doctor(cli, globals(), options)
      }),
    )
  root
    .command('demo')
    .description('write the database, documents and mailbox of the demo business, and print questions for them')
    .argument('[folder]', 'where to write them', '.')
    .option('--serve', "serve the demo business's HTTP API, too, until Ctrl-C")
    .addOption(new Option('--port <number>', 'port of that API').argParser(parsePort).implies({ serve: true }))
    .action(
      run(async (folder: string, options) => {
        const { writeDemo } = await import('./commands/demo.ts')
        return writeDemo(cli, folder, options)
      }),
    )
  root
    .command('backup')
    .description('save runs, documents and their key in a new folder; others may go on working')
    .argument('<folder>', 'a folder that is not there yet')
    .addOption(jsonOption())
    .action(
      run(async (folder: string, options) => {
        const { backup } = await import('./commands/backup.ts')
        return backup(cli, globals(), folder, options)
      }),
    )
  root
    .command('restore')
    .description('put a backup into the data folder')
    .argument('<folder>', 'what "tutti backup" has made')
    .option('--force', 'put what is in the data folder aside')
    .addOption(jsonOption())
    .action(
      run(async (folder: string, options) => {
        const { restoreBackup } = await import('./commands/backup.ts')
        return restoreBackup(cli, globals(), folder, options)
      }),
    )
  root
    .command('serve')
    .description('serve a health page, take up unfinished runs, work the shared queue')
    .option('--port <number>', 'port to listen on; 0 picks a free one', parsePort, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .action(
      run(async (options) => {
        const { serve } = await import('./commands/serve.ts')
        return serve(cli, globals(), options)
      }),
    )
}
