import { TuttiError } from '../../core/errors.ts'
import { LOCAL_OWNER } from '../../core/owner.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { Chunk, DocumentRecord } from '../../knowledge/types.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import type { PassageRange } from '../program-docs.ts'
import { renderTable } from '../render/table.ts'
import { safeLine, safeText } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'

interface JsonOption {
  readonly json?: boolean
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
export function listDocuments(cli: Cli, globals: GlobalOptions, { json }: JsonOption): Promise<ExitCode> {
  return withKnowledge(cli, globals, async ({ store }) => {
    const documents = await store.documents(LOCAL_OWNER)
    if (json === true) printJson(cli, { documents: documents.map(documentObject) })
    else if (documents.length === 0)
      cli.err.line('There are no documents yet. Take some in with: tutti docs add FOLDER')
    else cli.out.line(documentTable(cli, documents))
    return EXIT.ok
  })
}

/** A document as one object; times are ISO 8601. */
export function documentObject({ addedAt, ...record }: DocumentRecord) {
  return { ...record, addedAt: new Date(addedAt).toISOString() }
}

export function documentTable(cli: Cli, documents: readonly DocumentRecord[]): string {
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
  const columns = ['id', 'name', 'type', 'pages', 'passages', 'date', 'added']
  const { bold, dim } = cli.out.style
  return renderTable({ columns, rows, rowCount: rows.length }, { width: cli.out.width(), maxRows: Infinity, bold, dim })
}

export interface ShowOptions extends JsonOption {
  readonly passage?: PassageRange
}

/** `tutti docs show`: facts, sections and text, or one passage of the text. */
export function showDocument(
  cli: Cli,
  globals: GlobalOptions,
  name: string,
  { passage, json }: ShowOptions,
): Promise<ExitCode> {
  return withKnowledge(cli, globals, async ({ store }) => {
    const record = findDocument(await store.documents(LOCAL_OWNER), name)
    const { documentId } = record
    const text = (await store.text(LOCAL_OWNER, documentId, passage?.start, passage?.end)) ?? ''
    if (passage !== undefined) {
      if (text === '') throw new TuttiError('InvalidRequest', `${record.name} ends before character ${passage.start}.`)
      const end = passage.start + text.length
      if (json === true) printJson(cli, { documentId, name: record.name, start: passage.start, end, text })
      else cli.out.line(safeText(text))
      return EXIT.ok
    }
    const sections = sectionsOf(await store.chunks(LOCAL_OWNER, documentId))
    if (json === true) printJson(cli, { ...documentObject(record), sections, text })
    else printDocument(cli, record, sections, text)
    return EXIT.ok
  })
}

interface Section extends PassageRange {
  readonly section: string
  readonly page?: number
}

/** Sections with the characters that they go over. */
function sectionsOf(chunks: readonly Chunk[]): Section[] {
  const sections: Section[] = []
  for (const { section, parentId, start, end, page } of chunks) {
    if (section === undefined) continue
    const last = sections.at(-1)
    if (parentId !== undefined && last !== undefined) sections[sections.length - 1] = { ...last, end }
    else sections.push({ section, start, end, ...(page === undefined ? {} : { page }) })
  }
  return sections
}

function printDocument(cli: Cli, record: DocumentRecord, sections: readonly Section[], text: string): void {
  const { bold, dim } = cli.out.style
  cli.out.line(bold(safeLine(record.name)))
  cli.out.line(safeLine(record.description))
  const facts = [
    record.type,
    ...(record.pages === undefined ? [] : [`${record.pages} ${record.pages === 1 ? 'page' : 'pages'}`]),
    `${record.chunks} ${record.chunks === 1 ? 'passage' : 'passages'}`,
    ...(record.date === undefined ? [] : [`of ${record.date}`]),
    `id ${record.documentId}`,
  ]
  cli.out.line(dim(facts.join(', ')))
  for (const note of record.notes) cli.out.line(safeLine(`Note: ${note}`))
  if (sections.length > 0) cli.out.line(`\n${bold('Sections')}`)
  for (const { section, page, start, end } of sections) {
    cli.out.line(`  ${safeLine(section)}${dim(`${page === undefined ? '' : `, page ${page}`}, ${start}-${end}`)}`)
  }
  cli.out.line(`\n${safeText(text)}`)
}

/** `tutti docs remove`: all of those named, or none when one of them is not there. */
export function removeDocuments(
  cli: Cli,
  globals: GlobalOptions,
  names: readonly string[],
  { json }: JsonOption,
): Promise<ExitCode> {
  return withKnowledge(cli, globals, async ({ store, ingest }) => {
    const all = await store.documents(LOCAL_OWNER)
    const records = [...new Set(names.map((name) => findDocument(all, name)))]
    for (const { documentId, name } of records) {
      await ingest.remove(LOCAL_OWNER, documentId)
      if (json !== true) cli.err.line(`Removed ${safeLine(name)}.`)
    }
    if (json === true) printJson(cli, { removed: records.map(({ documentId, name }) => ({ documentId, name })) })
    return EXIT.ok
  })
}

/**
 * Finds a document by its id or the beginning of it, its name, or its path.
 * @throws TuttiError `InvalidRequest` when there is none, or several
 */
export function findDocument(records: readonly DocumentRecord[], text: string): DocumentRecord {
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
    throw new TuttiError('InvalidRequest', `There is no document "${text}". "tutti docs list" shows those there are.`)
  }
  if (matches.length === 1) return only
  const ids = matches.slice(0, 5).map(({ documentId }) => documentId)
  throw new TuttiError(
    'InvalidRequest',
    `${matches.length} documents fit "${text}"; name one by its id: ${ids.join(', ')}.`,
  )
}
