import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../app/user-app.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import { DEMO_DOCUMENTS_NAME, DEMO_FILE_NAME, DEMO_MAILBOX_NAME } from '../../app/demo-data.ts'
import { dataDirOf } from '../../app/config/environment.ts'
import type { DemoSources } from '../../app/setup.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Cli } from '../cli.ts'
import { withApp } from '../open-app.ts'
import { sourceOptions, type SourceOptions } from '../option-values.ts'
import { fileExists } from '../doctor/machine.ts'
import { safeLine } from '../render/text.ts'
import { DEMO_MAIL_FROM, demoCommands, makeDemo, makePapers } from './demo.ts'

/** Marker file in the folder of the demo's documents, created when all of them were added. */
const ADDED_MARKER = '.added'

/**
 * Questions that show each part of the demo without a model: figures, both combined, a series, a poisoned document, an
 * approval, a rejection.
 */
export const DEMO_SUGGESTIONS = [
  { question: 'Which five customers owe us the most on overdue invoices?', agents: ['sql'] },
  {
    question:
      'What does the returns policy say about damaged goods, how many orders were returned last quarter and what did they cost?',
    agents: ['rag', 'sql'],
    isOfDemo: true,
  },
  { question: 'Revenue by month since January 2025', agents: ['sql'] },
  { question: 'What does the newsletter from outside say?', agents: ['rag'], isOfDemo: true },
  {
    question: 'Send a mail to support@brindlemoor-coffee.example with the number of open orders',
    agents: ['sql', 'mail'],
  },
  { question: 'Delete all orders of 2024', agents: ['sql'] },
] as const

export interface ServedDemo {
  /** Shell commands to try. */
  readonly commands: readonly string[]
  /** Sources to use if nothing else is configured. */
  readonly sources?: DemoSources
}

/** Starts the demo business in the data folder. If it cannot be started, the rest of Tutti works. */
export async function startDemo(cli: Cli): Promise<ServedDemo> {
  const folder = dataDirOf(cli.globals.data, cli)
  const path = join(folder, DEMO_FILE_NAME)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!(await fileExists(path))) await makeDemo(path)
    if (!(await fileExists(join(folder, DEMO_MAILBOX_NAME)))) await makePapers(folder)
  } catch (thrown) {
    warn(cli, thrown)
    return { commands: [`tutti ask "…" --db sqlite:your-file.db`] }
  }
  return { commands: demoCommands(path), ...omitUndefined({ sources: await startedDemo(cli) }) }
}

/** Opens the app for a command on a run, which may be of the demo that `tutti serve` started in the data folder. */
export function withRunApp<T>(cli: Cli, options: SourceOptions, work: (app: App) => Promise<T>): Promise<T> {
  const sources = sourceOptions(options)
  const isNamed = sources.databases.length + sources.apis.length > 0
  return withApp(cli, isNamed ? sources : { ...sources, demo: () => startedDemo(cli) }, work)
}

async function startedDemo(cli: Cli): Promise<DemoSources | undefined> {
  const folder = dataDirOf(cli.globals.data, cli)
  const [path, mailbox] = [join(folder, DEMO_FILE_NAME), join(folder, DEMO_MAILBOX_NAME)]
  if (!(await fileExists(path)) || !(await fileExists(mailbox))) return undefined
  return {
    databases: [{ url: `sqlite:${path}`, name: 'brindlemoor' }],
    mail: { url: `maildir:${mailbox}`, from: DEMO_MAIL_FROM },
  }
}

/** Adds the documents of the demo to the library once. Documents that a user removes are not added again. */
export async function addDemoDocuments(cli: Cli, { knowledge }: App): Promise<void> {
  const folder = join(dataDirOf(cli.globals.data, cli), DEMO_DOCUMENTS_NAME)
  const mark = join(folder, ADDED_MARKER)
  if (await fileExists(mark)) return
  try {
    await knowledge.ingest.addPaths(LOCAL_OWNER, [folder], { cwd: folder })
    await writeFile(mark, '')
  } catch (thrown) {
    warn(cli, thrown)
  }
}

function warn(cli: Cli, thrown: unknown): void {
  cli.err.line(`Warning: ${safeLine(toTuttiError(thrown).message)}`)
}
