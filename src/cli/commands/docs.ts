import { TuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import type { JsonOption, Program, YesOption } from '../command.ts'
import { DOCUMENT, documentObject, findDocument, printDocuments, findReadable } from '../documents.ts'
import { printJson } from '../failure.ts'
import { safeLine, indent, safeText, truncateToWidth } from '../render/text.ts'
import { addDocsAdd } from './docs-add.ts'
import { argument, JSON_OPTION, YES_OPTION, option } from '../shared-options.ts'
import { InvalidArgumentError, Option } from 'commander'
import { pageLabel } from '../../shared/page-label.ts'
import {
  DOCUMENT_TYPES,
  type DocumentType,
  type Hit,
  type SearchFilter,
  type Chunk,
  type DocumentRecord,
} from '../../documents/types.ts'
import type { Cli } from '../cli.ts'
import { withApp } from '../open-app.ts'
import { parseNames, parseWholeNumber } from '../option-values.ts'
import { shortId } from '../render/units.ts'
import { textArgument } from '../stdin.ts'
import { omitUndefined } from '../../shared/json.ts'
import { askConfirmation } from '../prompt.ts'

/** Commands on documents: add, list, read, search, reindex, remove. */
export function addDocs(program: Program): void {
  const root = program.root.command('docs').description('add, search, show and remove documents')
  const { cli, command } = program
  const group = { ...program, root }
  addDocsAdd(group)
  command(root, 'list', 'list documents, newest first', JSON_OPTION).withApp(
    async ({ knowledge }, { json }: JsonOption) => {
      const documents = await knowledge.store.documents(LOCAL_OWNER)
      if (json === true) printJson(cli, { documents: documents.map(documentObject) })
      else if (documents.length === 0) cli.err.line(`There are no documents yet. Add some with: tutti docs add FOLDER`)
      else printDocuments(cli, documents)
    },
  )
  command(root, 'reindex', 'recreate all vectors after a change of the embedding model', JSON_OPTION).withApp(
    async ({ knowledge: { store, ingest } }, { json }: JsonOption) => {
      const embedded = await ingest.reindex(LOCAL_OWNER)
      const total = (await store.documents(LOCAL_OWNER)).reduce((sum, { chunks }) => sum + chunks, 0)
      if (embedded < total) {
        const message = 'No vectors were made, since no embedding model is configured; set TUTTI_EMBEDDING_MODEL.'
        throw new TuttiError('ConfigurationError', message)
      }
      if (json === true) printJson(cli, { embedded })
      else cli.out.line(embedded === 1 ? '1 passage has a new vector.' : `${embedded} passages have new vectors.`)
    },
  )
  addDocsShow(group)
  addDocsSearch(group)
  command(root, 'remove', 'remove documents', argument('<documents...>', DOCUMENT), YES_OPTION, JSON_OPTION).withApp(
    async ({ knowledge: { store, ingest } }, names: readonly string[], { json, yes }: JsonOption & YesOption) => {
      const all = await store.documents(LOCAL_OWNER)
      const records = [...new Set(names.map((name) => findDocument(all, name)))]
      const what = records.length === 1 ? safeLine(records[0]!.name) : `${records.length} documents`
      if (!(await askConfirmation(cli, { what: `Remove ${what}`, yes }))) return
      for (const { documentId, name } of records) {
        await ingest.remove(LOCAL_OWNER, documentId)
        if (json !== true) cli.err.line(`Removed ${safeLine(name)}.`)
      }
      if (json === true) printJson(cli, { removed: records.map(({ documentId, name }) => ({ documentId, name })) })
    },
  )
}

/** `tutti docs search`: passages, best first, each with the place that `tutti docs show --passage` opens. */
function addDocsSearch({ root, cli, command }: Program): void {
  command(
    root,
    'search',
    'find passages',
    argument('[question...]', 'what to look for; - or a pipe reads standard input'),
    new Option('--type <types>', 'only documents of these types, such as pdf; repeatable').argParser(parseNames),
    option('--from <day>', 'only documents from this day on, such as 2025-01-31', parseDay),
    option('--to <day>', 'only documents up to this day', parseDay),
    option('--section <words>', 'only sections with these words in their headings'),
    option('--topic <words>', 'only documents with these words in a topic or in their name'),
    option('--limit <n>', 'how many', parseWholeNumber).default(8),
    JSON_OPTION,
  ).run(async (words: string[], { limit, json, ...narrowing }: SearchOptions) => {
    const question = await textArgument(cli, words, 'question', `tutti docs search damaged goods`)
    const filter = filterOf(narrowing)
    return withApp(cli, {}, async ({ knowledge }) => {
      const scope = await knowledge.shared.readableScope(LOCAL_OWNER)
      const result = await knowledge.search(scope, question, { limit, filter })
      if (json === true) return printJson(cli, result)
      for (const [i, hit] of result.hits.entries()) printHit(cli, hit, i + 1)
      for (const note of result.notes) cli.err.line(cli.err.style.dim(safeLine(note)))
    })
  })
}

function parseDay(text: string): string {
  const date = new Date(`${text.trim()}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text.trim()
  if (!isDay) throw new InvalidArgumentError('Write a day such as 2025-01-31.')
  return text.trim()
}

interface SearchOptions extends JsonOption {
  readonly type?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly section?: string
  readonly topic?: string
  readonly limit: number
}

const SHOWN_COLUMNS = 400

function filterOf({ type, from, to, section, topic }: Omit<SearchOptions, 'limit' | 'json'>): SearchFilter {
  const types = type?.map((given) => {
    const match = DOCUMENT_TYPES.find((known) => known === given.trim().toLowerCase())
    if (match !== undefined) return match
    throw new TuttiError('InvalidRequest', `There is no type "${given}"; there are ${DOCUMENT_TYPES.join(', ')}.`)
  }) satisfies readonly DocumentType[] | undefined
  if (from !== undefined && to !== undefined && from > to) {
    throw new TuttiError('InvalidRequest', `--from ${from} comes after --to ${to}.`)
  }
  return omitUndefined({ types, from, to, section, topic })
}

function printHit(cli: Cli, { chunk, document }: Hit, number: number): void {
  const { bold, dim } = cli.out.style
  const place = [
    ...(chunk.page === undefined ? [] : [pageLabel(document.name, chunk.page)]),
    ...(chunk.section === undefined ? [] : [chunk.section]),
  ]
  cli.out.line(`${number}. ${bold(safeLine(document.name))}${safeLine(place.map((part) => `, ${part}`).join(''))}`)
  cli.out.line(indent(truncateToWidth(safeText(chunk.text).replaceAll(/\s*\n\s*/g, ' '), SHOWN_COLUMNS), '   '))
  cli.out.line(dim(`   tutti docs show ${shortId(document.documentId)} --passage ${chunk.start}-${chunk.end}`))
}

/** `tutti docs show`: properties, sections and text, or one passage of the text. */
function addDocsShow({ root, cli, command }: Program): void {
  command(
    root,
    'show',
    'print the properties, sections and text of a document',
    argument('<document>', DOCUMENT),
    option('--passage <start-end>', 'only these characters, as in citations', parsePassage),
    JSON_OPTION,
  ).withApp(
    async ({ knowledge }, name: string, { passage, json }: JsonOption & { readonly passage?: PassageRange }) => {
      const { record, store, scope } = await findReadable(knowledge, name.trim())
      const { documentId } = record
      const text = (await store.text(scope, documentId, passage?.start, passage?.end)) ?? ''
      if (passage === undefined) {
        const sections = sectionsOf(await store.chunks(scope, documentId))
        if (json === true) printJson(cli, { ...documentObject(record), sections, text })
        else printDocument(cli, record, sections, text)
        return
      }
      const { start } = passage
      if (text === '') throw new TuttiError('InvalidRequest', `${record.name} ends before character ${start}.`)
      if (json !== true) return cli.out.line(safeText(text))
      printJson(cli, { documentId, name: record.name, start, end: start + text.length, text })
    },
  )
}

/** Range of characters of a document's text, end exclusive. */
interface PassageRange {
  readonly start: number
  readonly end: number
}

function parsePassage(text: string): PassageRange {
  const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(text.trim()) ?? []
  const range = { start: Number(start), end: Number(end) }
  if (!(range.end > range.start)) throw new InvalidArgumentError('Write two numbers such as 1200-1850.')
  return range
}

interface Section extends PassageRange {
  readonly section: string
  readonly page?: number
}

/** Sections with their character ranges. */
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
  if (record.topics.length > 0) cli.out.line(safeLine(`Topics: ${record.topics.join('; ')}`))
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
    cli.out.line(
      `  ${safeLine(section)}${dim(`${page === undefined ? '' : `, ${pageLabel(record.name, page)}`}, ${start}-${end}`)}`,
    )
  }
  cli.out.line(`\n${safeText(text)}`)
}
