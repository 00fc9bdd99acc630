import { Option } from 'commander'
import { dirname, join, relative, resolve } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'
import {
  createDemoDatabase,
  DEMO_FILE_NAME,
  hasDemoAssets,
  writeDemoPapers,
  type DemoPapers,
  foreignFiles,
} from '../../demo/copy.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { parsePort } from '../option-values.ts'
import { safeLine } from '../render/text.ts'
import { withSpinner } from '../render/spinner.ts'
import { shellWord } from '../own-command.ts'
import { argument, option, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

/** Questions that can be answered without a model, too. */
const QUESTIONS = [
  'How many customers are there?',
  'How many orders are in each status?',
  'Which five products brought in the most money in 2025?',
]

export function addDemo({ root, cli, command }: Program): void {
  command(
    root,
    'demo',
    'write the demo database, documents and mailbox, and print example questions',
    argument('[folder]', 'target folder').default('.'),
    option('--serve', "serve the demo business's HTTP API, too, until Ctrl-C"),
    new Option('--port <number>', 'port of that API').argParser(parsePort).implies({ serve: true }),
    YES_OPTION,
  ).run((folder: string, options: DemoOptions) => writeDemo(cli, folder, options))
}

interface DemoOptions {
  readonly serve?: boolean
  readonly port?: number
  readonly yes?: boolean
}

/**
 * `tutti demo`: writes the demo's database, documents and mailbox into a folder and says what to ask; serves the demo's
 * API when asked to.
 */
async function writeDemo(cli: Cli, folder: string, { serve, port, yes }: DemoOptions): Promise<void> {
  const path = join(resolve(cli.cwd, folder), DEMO_FILE_NAME)
  await assertAssets()
  const foreign = await foreignFiles(dirname(path))
  if (foreign.length > 0) {
    const what = foreign.map((file) => safeLine(displayPath(cli, file))).join(', ')
    const isOne = foreign.length === 1
    const asked = `Overwrite ${what}, which ${isOne ? 'is' : 'are'} not as the demo wrote ${isOne ? 'it' : 'them'}`
    if (!(await askConfirmation(cli, { what: asked, yes }))) return
  }
  const writing = makeDemo(path).then(() => makePapers(dirname(path)))
  const { documents, mailbox } = await withSpinner(cli, 'Writing the demo', writing)
  const shown = displayPath(cli, path)
  cli.err.line(`Wrote ${path}, documents into ${documents} and mail into ${mailbox}. Try:`)
  const papers = { documents: displayPath(cli, documents), mailbox: displayPath(cli, mailbox) }
  for (const command of [...demoCommands(cli.self, shown), ...demoPaperCommands(cli.self, papers, shown)])
    cli.out.line(command)
  if (serve === true) await serveDemoApi(cli, path, shown, port)
}

function displayPath(cli: Cli, path: string): string {
  const fromHere = relative(cli.cwd, path)
  return fromHere.startsWith('..') ? path : fromHere
}

async function serveDemoApi(
  cli: Cli,
  databasePath: string,
  shownPath: string,
  port: number | undefined,
): Promise<void> {
  const { startDemoApi, DEMO_API_KEY, DEMO_API_PORT } = await import('../../demo/api/server.ts')
  const wanted = port ?? DEMO_API_PORT
  const api = await startDemoApi({ databasePath, port: wanted }).catch((thrown: Error) => {
    const isTaken = (thrown.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
    const message = isTaken ? `Port ${wanted} is in use already; choose another with --port.` : thrown.message
    throw new TuttiError('ConfigurationError', message, { cause: thrown })
  })
  cli.err.line(`The API of the demo business is at ${api.url}; its key is ${DEMO_API_KEY}. Try:`)
  for (const command of demoApiCommands(cli.self, { url: api.url, key: DEMO_API_KEY }, shownPath)) cli.out.line(command)
  await cli.untilStopped()
  await api.close()
}

/** @throws TuttiError `StorageError` when the folder cannot be written; `ConfigurationError` before anything is where this installation lacks files of the demo */
export async function makeDemo(path: string): Promise<void> {
  await assertAssets()
  await createDemoDatabase(path).catch((cause: Error) => {
    throw unwritable(`The demo database ${path}`, cause)
  })
}

async function assertAssets(): Promise<void> {
  if (await hasDemoAssets()) return
  const message =
    'Nothing was written: this installation has no assets/demo, which the demo is copied from. Reinstall Tutti.'
  throw new TuttiError('ConfigurationError', message)
}

/** @throws TuttiError as `makeDemo` does */
export async function makePapers(folder: string): Promise<DemoPapers> {
  await assertAssets()
  return writeDemoPapers(folder).catch((cause: Error) => {
    throw unwritable(`Documents and mailbox of the demo in ${folder}`, cause)
  })
}

function unwritable(what: string, cause: Error): TuttiError {
  return new TuttiError('StorageError', `${what} cannot be written: ${cause.message}.`, { cause })
}

/** Questions for the API of the demo business, which `tutti serve` and `tutti demo --serve` start. */
const API_QUESTIONS = ['List orders with status=open and min_total=500', 'List shipments with late=true']
/** One for API and database together. */
const SHARED_QUESTION = 'List orders with status=open and min_total=500, and how many orders are in each status?'

export function demoApiCommands(
  self: string,
  api: { readonly url: string; readonly key: string },
  databasePath: string,
): string[] {
  const options = `--api ${api.url}/openapi.json --api-key ${api.key}`
  return [
    ...API_QUESTIONS.map((question) => `${self} ask "${question}" ${options}`),
    `${self} ask "${SHARED_QUESTION}" ${options} --db ${databaseWord(databasePath)}`,
  ]
}

export function demoCommands(self: string, path: string): string[] {
  return QUESTIONS.map((question) => `${self} ask "${question}" --db ${databaseWord(path)}`)
}

/** One for the documents alone. */
const DOCUMENT_QUESTION = 'What does the returns policy say about damaged goods?'
/** One for documents, database and mail together; "today" is the last day of the demo's books. */
const WHOLE_QUESTION =
  'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost? Draft a mail to support with that.'
const WHOLE_OPTIONS = '--context current_date=2026-10-31'
export const DEMO_MAIL_FROM = 'lars.bellander@brindlemoor-coffee.example'

/** Commands for the documents and the mailbox of the demo, as a POSIX shell takes them. */
export function demoPaperCommands(self: string, { documents, mailbox }: DemoPapers, databasePath: string): string[] {
  const docs = `--docs ${shellWord(documents)}`
  const whole = `"${WHOLE_QUESTION}" ${docs} --db ${databaseWord(databasePath)} ${WHOLE_OPTIONS}`
  const account = `export TUTTI_MAIL_URL=${shellWord(`maildir:${mailbox}`)} TUTTI_MAIL_FROM=${DEMO_MAIL_FROM}`
  return [`${self} ask "${DOCUMENT_QUESTION}" ${docs}`, account, `${self} plan ${whole}`, `${self} ask ${whole}`]
}

function databaseWord(path: string): string {
  return shellWord(`sqlite:${path}`)
}
