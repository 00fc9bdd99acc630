import { InvalidArgumentError, Option } from 'commander'
import { TuttiError } from '../../domain/errors.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import { pageLabel } from '../../shared/page-label.ts'
import { DOCUMENT_TYPES, type DocumentType, type Hit, type SearchFilter } from '../../documents/types.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { withApp } from '../open-app.ts'
import { printJson } from '../failure.ts'
import { parseNames, parseWholeNumber } from '../option-values.ts'
import { indent, safeLine, safeText, truncateToWidth } from '../render/text.ts'
import { shortId } from '../render/units.ts'
import { withSpinner } from '../render/spinner.ts'
import { jsonOption } from '../shared-options.ts'
import { textArgument } from '../stdin.ts'
import { omitUndefined } from '../../shared/json.ts'

/** `tutti docs search`: passages, best first, each with the place that `tutti docs show --passage` opens. */
export function addDocsSearch({ root, cli, run }: Program): void {
  root
    .command('search')
    .description('find passages')
    .argument('[question...]', 'what to look for; - or a pipe reads standard input')
    .addOption(
      new Option('--type <types>', 'only documents of these types, such as pdf; repeatable').argParser(parseNames),
    )
    .option('--from <day>', 'only documents from this day on, such as 2025-01-31', parseDay)
    .option('--to <day>', 'only documents up to this day', parseDay)
    .option('--section <words>', 'only sections with these words in their headings')
    .option('--topic <words>', 'only documents with these words in a topic or in their name')
    .option('--limit <n>', 'how many', parseWholeNumber, 8)
    .addOption(jsonOption())
    .action(
      run(async (words: string[], { limit, json, ...narrowing }: SearchOptions) => {
        const question = await textArgument(cli, words, 'question', `${cli.self} docs search damaged goods`)
        const filter = filterOf(narrowing)
        return withApp(cli, {}, async ({ knowledge }) => {
          const scope = await knowledge.shared.shelvesOf(LOCAL_OWNER)
          const found = await withSpinner(cli, 'Searching', knowledge.search(scope, question, { limit, filter }))
          if (json === true) return printJson(cli, found)
          for (const [i, hit] of found.hits.entries()) printHit(cli, hit, i + 1)
          for (const note of found.notes) cli.err.line(cli.err.style.dim(safeLine(note)))
        })
      }),
    )
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
    const found = DOCUMENT_TYPES.find((known) => known === given.trim().toLowerCase())
    if (found !== undefined) return found
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
  cli.out.line(dim(`   ${cli.self} docs show ${shortId(document.documentId)} --passage ${chunk.start}-${chunk.end}`))
}
