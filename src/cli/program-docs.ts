import { InvalidArgumentError, Option, type Command } from 'commander'
import { parseNames, parseWholeNumber } from './option-values.ts'
import type { Program } from './program.ts'
import { jsonOption } from './shared-options.ts'

const DOCUMENT = 'id or its beginning, name, or path of a document'

/** Commands on documents: take in, list, read, search, remove. */
export function addDocsCommands(program: Program): void {
  const docs = program.root.command('docs').description('take in documents, read, search and remove them')
  addChanging(docs, program)
  addLooking(docs, program)
}

function addChanging(docs: Command, { cli, globals, run }: Program): void {
  docs
    .command('add')
    .description('take in files, folders and patterns; what has not changed is left as it is')
    .argument('<paths...>', 'PDF, DOCX, XLSX, CSV, TXT, MD and HTML files, folders with such files, or patterns')
    .option('--watch', 'go on taking in what changes and removing what is deleted, until Ctrl-C')
    .addOption(jsonOption())
    .action(
      run(async (paths: string[], options) => {
        const { addDocuments } = await import('./commands/docs-add.ts')
        return addDocuments(cli, globals(), paths, options)
      }),
    )
  docs
    .command('remove')
    .description('remove documents and everything that belongs to them')
    .argument('<documents...>', DOCUMENT)
    .addOption(jsonOption())
    .action(
      run(async (names: string[], options) => {
        const { removeDocuments } = await import('./commands/docs.ts')
        return removeDocuments(cli, globals(), names, options)
      }),
    )
}

function addLooking(docs: Command, { cli, globals, run }: Program): void {
  docs
    .command('list')
    .description('list documents, newest first')
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { listDocuments } = await import('./commands/docs.ts')
        return listDocuments(cli, globals(), options)
      }),
    )
  docs
    .command('show')
    .description('print what is known of a document, its sections and its text')
    .argument('<document>', DOCUMENT)
    .option('--passage <start-end>', 'only these characters of the text, as citations name them', parsePassage)
    .addOption(jsonOption())
    .action(
      run(async (name: string, options) => {
        const { showDocument } = await import('./commands/docs.ts')
        return showDocument(cli, globals(), name, options)
      }),
    )
  docs
    .command('search')
    .description('find passages')
    .argument('[question...]', 'what to look for; - or a pipe reads standard input')
    .addOption(
      new Option('--type <types>', 'only documents of these types, such as pdf; repeatable').argParser(parseNames),
    )
    .option('--from <day>', 'only documents from this day on, such as 2025-01-31', parseDay)
    .option('--to <day>', 'only documents up to this day', parseDay)
    .option('--section <words>', 'only sections with these words in their headings')
    .option('--limit <n>', 'how many', parseWholeNumber, 8)
    .addOption(jsonOption())
    .action(
      run(async (words: string[], options) => {
        const { searchDocuments } = await import('./commands/docs-search.ts')
        return searchDocuments(cli, globals(), words, options)
      }),
    )
}

/** Characters of a document's text, the end exclusive. */
export interface PassageRange {
  readonly start: number
  readonly end: number
}

function parsePassage(text: string): PassageRange {
  const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(text.trim()) ?? []
  const range = { start: Number(start), end: Number(end) }
  if (!(range.end > range.start)) throw new InvalidArgumentError('Write two numbers such as 1200-1850.')
  return range
}

function parseDay(text: string): string {
  const date = new Date(`${text.trim()}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text.trim()
  if (!isDay) throw new InvalidArgumentError('Write a day such as 2025-01-31.')
  return text.trim()
}
