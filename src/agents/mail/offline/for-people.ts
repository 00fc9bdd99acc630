import { isYear, localeProfile } from '../../../core/locale.ts'
import type { Table } from '../../../core/table.ts'
import { withoutAssumptions } from '../../../language/assumed.ts'
import { singular } from '../../../terms/words.ts'

const MAX_ROWS = 50
const COLUMN = /\b([a-z]\w*)\.([a-z]\w*)\b/g
/** What is left of SQL says nothing to whoever gets a mail. */
const CODE = /[<>=(){}|*[\]]|'|\w_\w|\b(?:[A-Z]{3,}|IN|IS|OR)\b/

/** In this order: the longer before what it begins with. */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/'((?:[^']|'')*)'/g, '“$1”'],
  [/\s*(?:<>|!=)\s*/g, ' is not '],
  [/\s*<=\s*/g, ' is at most '],
  [/\s*>=\s*/g, ' is at least '],
  [/\s*<\s*/g, ' is less than '],
  [/\s*>\s*/g, ' is more than '],
  [/\s*=\s*/g, ' is '],
  [/ IS NOT NULL\b/gi, ' is given'],
  [/ IS NULL\b/gi, ' is not given'],
  [/ NOT IN \(([^()]*)\)/gi, ' is none of $1'],
  [/ IN \((“[^()]*”)\)/gi, ' is one of $1'],
  [/ AND /g, ' and '],
  [/ OR /g, ' or '],
]

/**
 * What an agent found, for somebody who knows neither the database nor the question: columns by their words, what was taken for
 * granted as a sentence, and the rows of which the text names only some.
 */
export function forPeople(answer: string, table: Table | undefined, locale: string | undefined): string {
  const { text, assumptions } = withoutAssumptions(answer)
  const known = assumptions.map(inWords).filter((said) => !CODE.test(said))
  const told = known.length === 0 ? '' : ` For this, ${known.join('; ')}.`
  const rows = table === undefined ? '' : rowsBeside(text, table, locale)
  return [`${columnsInWords(text, table)}${told}`, rows].filter(Boolean).join('\n\n')
}

/** “orders.status <> 'cancelled'” is “the status of orders is not “cancelled””. */
function inWords(assumption: string): string {
  const named = assumption.replaceAll(COLUMN, (_, table: string, column: string) => {
    const [thing, words] = [spaced(table), spaced(column)]
    return words.includes(singular(thing)) ? `the ${words}` : `the ${words} of ${thing}`
  })
  return OPERATORS.reduce((line, [sign, words]) => line.replaceAll(sign, words), named)
}

function columnsInWords(text: string, table: Table | undefined): string {
  const technical = (table?.columns ?? []).filter((column) => column.includes('_'))
  return technical.reduce((said, column) => said.replaceAll(column, spaced(column)), text)
}

/** A row a line: columns under each other are crooked where a mail is shown in letters of different widths. */
function rowsBeside(text: string, { columns, rows, rowCount }: Table, locale: string | undefined): string {
  const [label, ...rest] = columns
  if (label === undefined || rows.length < 2 || rows.every((row) => text.includes(String(row[label])))) return ''
  const shown = (column: string, cell: unknown): string => {
    if (typeof cell === 'number' && !isYear(column, cell)) return localeProfile(locale).number(cell)
    return cell === null || cell === undefined
      ? 'none'
      : String(cell).replace(/^(\d{4}-\d{2}-\d{2})[ T]00:00:00.*$/, '$1')
  }
  const lines = rows.slice(0, MAX_ROWS).map((row) => {
    const values = rest.map((column) =>
      [...(rest.length > 1 ? [spaced(column)] : []), shown(column, row[column])].join(' '),
    )
    return `- ${[shown(label, row[label]), ...(values.length === 0 ? [] : [values.join(', ')])].join(': ')}`
  })
  const more = Math.max(rowCount, rows.length) - lines.length
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}
