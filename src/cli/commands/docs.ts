import { TuttiError } from '../../core/errors.ts'
import { LOCAL_OWNER } from '../../core/owner.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { DocumentRecord } from '../../knowledge/types.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import type { Program } from '../command.ts'
import { isSure } from '../confirm.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { printList } from '../render/list.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { jsonOption, yesOption } from '../shared-options.ts'
import { addDocsAdd } from './docs-add.ts'
import { addDocsSearch } from './docs-search.ts'
import { addDocsShow } from './docs-show.ts'

/** Commands on documents: add, list, read, search, remove. */
export function addDocs(program: Program): void {
  const root = program.root.command('docs').description('add documents, read, search and remove them')
  const { cli, globals, run } = program
  const group = { ...program, root }
  addDocsAdd(group)
  root
    .command('list')
    .description('list documents, newest first')
    .addOption(jsonOption())
    .action(run((options: JsonOption) => listDocuments(cli, globals(), options)))
  addDocsShow(group)
  addDocsSearch(group)
  root
    .command('remove')
    .description('remove documents and everything that belongs to them')
    .argument('<documents...>', DOCUMENT)
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(run((names: string[], options: RemoveOptions) => removeDocuments(cli, globals(), names, options)))
}

interface JsonOption {
  readonly json?: boolean
}

interface RemoveOptions extends JsonOption {
  readonly yes?: boolean
}

/** Opens Tutti for a command on documents. */
export function withKnowledge<T>(
  cli: Cli,
  globals: GlobalOptions,
  work: (knowledge: Knowledge) => Promise<T>,
): Promise<T> {
  return withApp(cli, globals, {}, (app) => work(app.knowledge))
}

/** `tutti docs list`: newest first. */
function listDocuments(cli: Cli, globals: GlobalOptions, { json }: JsonOption): Promise<ExitCode> {
  return withKnowledge(cli, globals, async ({ store }) => {
    const documents = await store.documents(LOCAL_OWNER)
    if (json === true) printJson(cli, { documents: documents.map(documentObject) })
    else if (documents.length === 0)
      cli.err.line(`There are no documents yet. Add some with: ${cli.self} docs add FOLDER`)
    else printDocuments(cli, documents)
    return EXIT.ok
  })
}

/** A document as one object; times are ISO 8601. */
export function documentObject({ addedAt, ...record }: DocumentRecord) {
  return { ...record, addedAt: new Date(addedAt).toISOString() }
}

export function printDocuments(cli: Cli, documents: readonly DocumentRecord[]): void {
  const now = cli.clock.now()
  const rows = documents.map((record) => ({
    id: shortId(record.documentId),
    name: record.name,
    type: record.type,
    pages: record.pages ?? null,
    passages: record.chunks,
    date: record.date ?? null,
    added: age(now - record.addedAt),
  }))
  printList(cli.out, ['id', 'name', 'type', 'pages', 'passages', 'date', 'added'], rows)
}

/** `tutti docs remove`: all of those named, or none when one of them is not there. */
function removeDocuments(
  cli: Cli,
  globals: GlobalOptions,
  names: readonly string[],
  { json, yes }: RemoveOptions,
): Promise<ExitCode> {
  return withKnowledge(cli, globals, async ({ store, ingest }) => {
    const all = await store.documents(LOCAL_OWNER)
    const records = [...new Set(names.map((name) => findDocument(cli, all, name)))]
    const what = records.length === 1 ? safeLine(records[0]!.name) : `${records.length} documents`
    if (!(await isSure(cli, { what: `Remove ${what}`, yes }))) return EXIT.ok
    for (const { documentId, name } of records) {
      await ingest.remove(LOCAL_OWNER, documentId)
      if (json !== true) cli.err.line(`Removed ${safeLine(name)}.`)
    }
    if (json === true) printJson(cli, { removed: records.map(({ documentId, name }) => ({ documentId, name })) })
    return EXIT.ok
  })
}

/** How a document is named on the command line. */
export const DOCUMENT = 'id or its beginning, name, or path of a document'

/**
 * Finds a document by its id or the beginning of it, its name, or its path.
 * @throws TuttiError `InvalidRequest` when there is none, or several
 */
export function findDocument(
  { self }: Pick<Cli, 'self'>,
  records: readonly DocumentRecord[],
  text: string,
): DocumentRecord {
  const wanted = text.trim()
  const exact = records.filter(({ documentId, path }) => documentId === wanted || path === wanted)
  const named = exact.length > 0 ? exact : records.filter(({ name }) => name === wanted)
  const matches =
    named.length > 0 || wanted === ''
      ? named
      : records.filter(
          ({ documentId, name }) => documentId.startsWith(wanted.toLowerCase()) || name.endsWith(`/${wanted}`),
        )
  const [only] = matches
  if (only === undefined) {
    throw new TuttiError('InvalidRequest', `There is no document "${text}". List them with: ${self} docs list`)
  }
  if (matches.length === 1) return only
  const ids = matches.slice(0, 5).map(({ documentId }) => documentId)
  throw new TuttiError(
    'InvalidRequest',
    `${matches.length} documents match "${text}"; name one by its id: ${ids.join(', ')}.`,
  )
}
