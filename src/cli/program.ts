import { Argument, Command, type Help } from 'commander'
import type { App } from '../app/user-app.ts'
import type { Cli, GlobalOptions } from './cli.ts'
import type { Program } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { reportFailure } from './failure.ts'
import { withApp } from './open-app.ts'
import { parsePath } from './option-values.ts'
import { indent, padEnd } from './render/text.ts'
import { wrap } from './render/wrap.ts'
import { applySettings, commandPath } from './settings.ts'
import { packageVersion } from './own-command.ts'

/** Commands by name, loaded on demand: loading all of them takes longer than most commands run. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Program) => void>>> = {
  ask: async () => (await import('./commands/ask.ts')).addAsk,
  chat: async () => (await import('./commands/chat.ts')).addChat,
  plan: async () => (await import('./commands/plan.ts')).addPlan,
  runs: async () => (await import('./commands/runs.ts')).addRuns,
  trace: async () => (await import('./commands/trace.ts')).addTrace,
  approvals: async () => (await import('./commands/approvals.ts')).addApprovals,
  conversations: async () => (await import('./commands/conversations.ts')).addConversations,
  memory: async () => (await import('./commands/memory.ts')).addMemory,
  skills: async () => (await import('./commands/skills.ts')).addSkills,
  docs: async () => (await import('./commands/docs.ts')).addDocs,
  collections: async () => (await import('./commands/collections.ts')).addCollectionCommands,
  eval: async () => (await import('./commands/eval.ts')).addEval,
  test: async () => (await import('./commands/test.ts')).addTest,
  schedule: async () => (await import('./commands/schedule.ts')).addSchedule,
  db: async () => (await import('./commands/db.ts')).addDb,
  api: async () => (await import('./commands/api.ts')).addApi,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  python: async () => (await import('./commands/python.ts')).addPython,
  teams: async () => (await import('./commands/teams.ts')).addTeams,
  agents: async () => (await import('./commands/agents.ts')).addAgents,
  people: async () => (await import('./commands/people.ts')).addPeopleCommands,
  groups: async () => (await import('./commands/groups.ts')).addGroups,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  mailbox: async () => (await import('./commands/mailbox.ts')).addMailbox,
  audit: async () => (await import('./commands/people.ts')).addAudit,
  init: async () => (await import('./commands/init.ts')).addInit,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/backup.ts')).addRestore,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  completion: async () => (await import('./commands/completion.ts')).addCompletion,
}

const examples = (self: string): string => `
Examples:
  ${self} demo  # writes data to try
  ${self} ask "How many customers are there?" --db sqlite:brindlemoor.sqlite
  ${self} ask "What does the returns policy say?" --docs policies/
  ${self} ask "Revenue by country" --db shop=postgres://reader:…@host/shop --json
  ${self} chat --db sqlite:brindlemoor.sqlite
  ${self} db check "DELETE FROM orders" --db sqlite:brindlemoor.sqlite
  ${self} runs show 1a2b3c4d --trace
  ${self} doctor  # what works here

Exit codes: 0 answered, 1 failed, 2 wrong input, 3 configuration or storage, 4 cancelled, 5 not answered, or not all of it.`

/** A description narrower than this is printed below its term. In columns. */
const MIN_DESCRIPTION_COLUMNS = 30

function helpItem(term: string, termWidth: number, description: string, { helpWidth = 80 }: Help): string {
  const column = helpWidth - termWidth < MIN_DESCRIPTION_COLUMNS ? 6 : termWidth + 4
  const text = indent(wrap(description, helpWidth - column), ' '.repeat(column))
  if (text === '') return `  ${term}`
  return column === 6 ? `  ${term}\n${text}` : padEnd(`  ${term}`, column) + text.trimStart()
}

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
  let command = root
  for (const word of argv) command = command.commands.find((one) => one.name() === word) ?? command
  return [root.name(), ...commandPath(command), '--help'].join(' ')
}

/** The commands that a command line may mean; all of them for help and for the completion of a shell. */
function commandsFor(argv: readonly string[]): readonly string[] {
  const all = Object.keys(COMMANDS)
  const named = all.filter((name) => argv.includes(name))
  const before = argv.slice(0, Math.min(...named.map((name) => argv.indexOf(name))))
  const needsAll =
    named.length === 0 || named.includes('completion') || before.some((word) => /^(-h|--help)$/.test(word))
  return needsAll ? all : named
}

async function createProgram(cli: Cli, names: readonly string[], onEnd: (code: ExitCode) => void): Promise<Command> {
  const root = new Command(cli.self)
    .description('A self-hosted multi-agent assistant: answers from your data, cites its sources, asks before it acts.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--data <folder>', "folder for Tutti's own data (or TUTTI_DATA)", parsePath)
    .option('--config <file>', 'configuration file; else tutti.config.* of the working directory', parsePath)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.out.write(wrap(text, cli.out.helpWidth())),
      writeErr: (text) => cli.err.write(wrap(text, cli.err.helpWidth())),
      // Said by `reportFailure`, in one line.
      outputError: () => undefined,
      getOutHelpWidth: cli.out.helpWidth,
      getErrHelpWidth: cli.err.helpWidth,
    })
    .configureHelp({ showGlobalOptions: true, boxWrap: wrap, formatItem: helpItem })
    .addHelpText('after', examples(cli.self))
    .hook('preAction', (_root, command) => {
      for (const one of [root, command]) applySettings(one, cli.env)
    })
  const ownCli: Cli = {
    ...cli,
    get globals() {
      const isTyped = (option: string): boolean => root.getOptionValueSource(option) === 'cli'
      return { ...root.opts<GlobalOptions>(), isConfigTyped: isTyped('config'), isDataTyped: isTyped('data') }
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
        addHelp: (text) => void command.addHelpText('after', text),
        withApp: <A extends readonly unknown[]>(action: (app: App, ...args: A) => Promise<ExitCode | void>) =>
          run((...args: A) => withApp(ownCli, {}, (app) => action(app, ...args))),
      }
    },
  }
  for (const name of names) (await COMMANDS[name]!())(program)
  return root
}
