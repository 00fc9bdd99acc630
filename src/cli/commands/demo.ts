import { join, relative, resolve } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'
import {
  createDemoDatabase,
  DEMO_DOCUMENTS_NAME,
  DEMO_FILE_NAME,
  DEMO_MAILBOX_NAME,
  hasDemoAssets,
  hasDemoFiles,
  writeDemoPapers,
  type DemoPapers,
} from '../../app/demo-data.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { shellWord } from '../printed-commands.ts'
import { argument } from '../shared-options.ts'

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
  ).run((folder: string) => writeDemo(cli, folder))
}

/** `tutti demo`: writes the demo's database, documents and mailbox into a folder and says what to ask. */
async function writeDemo(cli: Cli, folder: string): Promise<void> {
  const target = resolve(cli.cwd, folder)
  const path = join(target, DEMO_FILE_NAME)
  if (await hasDemoFiles(target)) cli.err.line(`${target} has these files already; nothing was written. Try:`)
  else {
    await makeDemo(path)
    const { documents, mailbox } = await makePapers(target)
    cli.err.line(`Wrote ${path}, documents into ${documents} and mail into ${mailbox}. Try:`)
  }
  const databasePath = displayPath(cli, path)
  const papers = {
    documents: displayPath(cli, join(target, DEMO_DOCUMENTS_NAME)),
    mailbox: displayPath(cli, join(target, DEMO_MAILBOX_NAME)),
  }
  for (const command of [...demoCommands(databasePath), ...demoPaperCommands(papers, databasePath)])
    cli.out.line(command)
}

function displayPath(cli: Cli, path: string): string {
  const fromHere = relative(cli.cwd, path)
  return fromHere.startsWith('..') ? path : fromHere
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

export function demoCommands(path: string): string[] {
  return QUESTIONS.map((question) => `tutti ask "${question}" --db ${databaseWord(path)}`)
}

/** One for the documents alone. */
const DOCUMENT_QUESTION = 'What does the returns policy say about damaged goods?'
/** One for documents, database and mail together; "today" is the last day of the demo's books. */
const WHOLE_QUESTION =
  'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost? Draft a mail to support with that.'
const WHOLE_OPTIONS = '--context current_date=2026-10-31'
export const DEMO_MAIL_FROM = 'lars.bellander@brindlemoor-coffee.example'

/** Commands for the documents and the mailbox of the demo, as a POSIX shell takes them. */
export function demoPaperCommands({ documents, mailbox }: DemoPapers, databasePath: string): string[] {
  const docs = `--docs ${shellWord(documents)}`
  const whole = `"${WHOLE_QUESTION}" ${docs} --db ${databaseWord(databasePath)} ${WHOLE_OPTIONS}`
  const account = `export TUTTI_MAIL_URL=${shellWord(`maildir:${mailbox}`)} TUTTI_MAIL_FROM=${DEMO_MAIL_FROM}`
  return [`tutti ask "${DOCUMENT_QUESTION}" ${docs}`, account, `tutti plan ${whole}`, `tutti ask ${whole}`]
}

function databaseWord(path: string): string {
  return shellWord(`sqlite:${path}`)
}
