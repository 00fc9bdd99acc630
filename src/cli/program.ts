import { Argument, Command } from 'commander'
import type { App } from '../app/user-app.ts'
import type { Cli, GlobalOptions } from './cli.ts'
import type { Program } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { reportFailure } from './failure.ts'
import { withApp } from './open-app.ts'
import { parsePath } from './option-values.ts'
import { omitUndefined } from '../shared/json.ts'
import { packageVersion } from './package-version.ts'

/** Commands by name, loaded on demand: loading all of them takes longer than most commands run. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Program) => void>>> = {
  ask: async () => (await import('./commands/ask.ts')).addAsk,
  chat: async () => (await import('./commands/chat.ts')).addChat,
  plan: async () => (await import('./commands/plan.ts')).addPlan,
  runs: async () => (await import('./commands/runs.ts')).addRuns,
  approvals: async () => (await import('./commands/approvals.ts')).addApprovals,
  memory: async () => (await import('./commands/memory.ts')).addMemory,
  docs: async () => (await import('./commands/docs.ts')).addDocs,
  eval: async () => (await import('./commands/eval.ts')).addEval,
  test: async () => (await import('./commands/test-cassettes.ts')).addTest,
  db: async () => (await import('./commands/db.ts')).addDb,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  teams: async () => (await import('./commands/teams.ts')).addTeams,
  people: async () => (await import('./commands/people.ts')).addPeopleCommands,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  mailbox: async () => (await import('./commands/mailbox.ts')).addMailbox,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/backup.ts')).addRestore,
  serve: async () => (await import('./commands/serve.ts')).addServe,
}

const EXAMPLES = `
Examples:
  tutti demo  # writes data to try
  tutti ask "How many customers are there?" --db sqlite:brindlemoor.sqlite
  tutti ask "What does the returns policy say?" --docs policies/
  tutti ask "Revenue by country" --db shop=postgres://reader:…@host/shop --json
  tutti chat --db sqlite:brindlemoor.sqlite
  tutti db check "DELETE FROM orders" --db sqlite:brindlemoor.sqlite
  tutti runs show 1a2b3c4d --trace
  tutti doctor  # what works here

Exit codes: 0 answered, 1 failed, 2 wrong input, 3 configuration or storage, 4 cancelled, 5 not answered, or not all of it.`

/** Runs one command line and returns the exit code. Errors are printed in one line. */
export async function runCli(argv: readonly string[], cli: Cli): Promise<ExitCode> {
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const end: { code: ExitCode } = { code: EXIT.ok }
  const root = await createProgram(cli, commandsFor(argv), (code) => (end.code = code))
  try {
    await root.parseAsync(argv, { from: 'user' })
    return end.code
  } catch (thrown) {
    return reportFailure(cli, thrown, options.includes('--json'), helpOf(root, argv))
  }
}

/** Returns the help command of the intended command. */
function helpOf(root: Command, argv: readonly string[]): string {
  const path = [root]
  for (const word of argv) path.push(...path.at(-1)!.commands.filter((one) => one.name() === word))
  return [...path.map((command) => command.name()), '--help'].join(' ')
}

/** The commands that a command line may mean; all of them for help. */
function commandsFor(argv: readonly string[]): readonly string[] {
  const all = Object.keys(COMMANDS)
  const named = all.filter((name) => argv.includes(name))
  const globalWords = argv.slice(0, Math.min(...named.map((name) => argv.indexOf(name))))
  const needsAll = named.length === 0 || globalWords.some((word) => /^(-h|--help)$/.test(word))
  return needsAll ? all : named
}

async function createProgram(cli: Cli, names: readonly string[], onEnd: (code: ExitCode) => void): Promise<Command> {
  const root = new Command('tutti')
    .description('A self-hosted multi-agent assistant: answers from your data, cites its sources, asks before it acts.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--data <folder>', "folder for Tutti's own data (or TUTTI_DATA)", parsePath)
    .option('--config <file>', 'configuration file (or TUTTI_CONFIG); else tutti.config.* here', parsePath)
    .exitOverride()
    .configureOutput({
      writeOut: cli.out.write,
      writeErr: cli.err.write,
      // Said by `reportFailure`, in one line.
      outputError: () => undefined,
    })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', EXAMPLES)
  const ownCli: Cli = {
    ...cli,
    get globals() {
      const { config = cli.env['TUTTI_CONFIG']?.trim() || undefined, data } = root.opts<GlobalOptions>()
      return omitUndefined({ config, data })
    },
  }
  const program: Program = {
    root,
    cli: ownCli,
    command(group, name, description, ...parts) {
      const { name: ownName, isDefault } = typeof name === 'string' ? { name, isDefault: false } : name
      const command = group.command(ownName, { isDefault }).description(description)
      for (const part of parts) {
        if (part instanceof Argument) command.addArgument(part)
        else command.addOption(part)
      }
      const run = <A extends readonly unknown[]>(action: (...args: A) => Promise<ExitCode | void>): void => {
        command.action(async (...args) => onEnd((await action(...(args as unknown as A))) ?? EXIT.ok))
      }
      return {
        run,
        withApp: <A extends readonly unknown[]>(action: (app: App, ...args: A) => Promise<ExitCode | void>) =>
          run((...args: A) => withApp(ownCli, {}, (app) => action(app, ...args))),
      }
    },
  }
  for (const name of names) (await COMMANDS[name]!())(program)
  return root
}
