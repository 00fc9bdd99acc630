import type { Dialect } from '../schema.ts'
import { quoteLiteral } from './dialect.ts'

/**
 * Lower case for case-insensitive comparison, with the same rules in SQLite and PostgreSQL. Their own LOWER differs:
 * SQLite's covers only ASCII, PostgreSQL's depends on the locale of the database. For MySQL, its own LOWER is used on
 * both sides.
 */
export function lowerCase(text: string): string {
  return [...text].map(small).join('')
}

/** Maps one letter to one letter of the same script. A final sigma counts as a sigma. */
function small(letter: string): string {
  if (letter === 'ς') return 'σ'
  const lower = letter.toLowerCase()
  return lower.length === letter.length && (lower > '\x7f' || letter <= '\x7f') ? lower : letter
}

/** For each lower-case letter, its capital letters. */
function capitals(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let point = 0x41; point < 0x1_f000; point++) {
    if (point === 0xd800) point = 0xe000
    const letter = String.fromCodePoint(point)
    const lower = small(letter)
    if (lower !== letter) found.set(lower, (found.get(lower) ?? '') + letter)
  }
  return found
}
const CAPITALS = capitals()

/** Whether a lower-case text has letters that SQLite's LOWER does not convert. */
export function hasUnfoldedLetters(sought: string): boolean {
  return [...sought].some((letter) => letter > '\x7f' && CAPITALS.has(letter))
}

/**
 * A condition that a cell equals one of some texts.
 * @param cell a text expression
 * @param sought texts as returned by `lowerCase`
 */
export function equalsAny(cell: string, sought: readonly string[], dialect: Dialect): string {
  const globs = dialect === 'sqlite' ? sought.filter(hasUnfoldedLetters) : []
  const literals = sought.filter((text) => !globs.includes(text)).map((text) => quoteLiteral(text, dialect))
  const test = literals.length === 1 ? `= ${literals[0]}` : `IN (${literals.join(', ')})`
  const tests = [
    ...(literals.length === 0 ? [] : [`${lowered(cell, sought, dialect)} ${test}`]),
    ...globs.map((text) => `${cell} GLOB ${quoteLiteral(globOf(text), dialect)}`),
  ]
  return tests.length === 1 ? tests[0]! : `(${tests.join(' OR ')})`
}

/** The condition that a cell has a text in it. @param cell an expression that is a text */
export function containsText(cell: string, text: string, dialect: Dialect): string {
  const lowerText = lowerCase(text)
  if (dialect === 'sqlite') return `${cell} GLOB ${quoteLiteral(`*${globOf(lowerText)}*`, dialect)}`
  const small = (what: string): string => lowered(what, [lowerText], dialect)
  if (dialect === 'postgres') return `STRPOS(${small(cell)}, ${quoteLiteral(lowerText, dialect)}) > 0`
  // Its small letters are not all of ours, so that they are taken of both: a cell has what is in it. As its collations compare,
  // letters with and without accents are the same.
  return `INSTR(${[cell, quoteLiteral(text, dialect)].map((place) => `CAST(${small(place)} AS BINARY)`).join(', ')}) > 0`
}

/** A cell with those letters small that are sought, which is all that it takes to find these in it. */
function lowered(cell: string, sought: readonly string[], dialect: Dialect): string {
  const letters = [...new Set(sought.flatMap((text) => [...text]))]
  if (dialect === 'postgres') {
    const pairs = letters.flatMap((to) => [...(CAPITALS.get(to) ?? '')].map((from) => [from, to]))
    if (pairs.length === 0) return cell
    const [from, to] = [0, 1].map((at) => quoteLiteral(pairs.map((pair) => pair[at]!).join(''), dialect))
    return `TRANSLATE(${cell}, ${from}, ${to})`
  }
  const lower = `lower(${cell})`
  return dialect === 'mysql' && letters.includes('σ') ? `REPLACE(${lower}, 'ς', 'σ')` : lower
}

/** A pattern of SQLite's GLOB, which takes no letter for another: each of these in all of its spellings. */
function globOf(sought: string): string {
  return [...sought]
    .map((letter) => {
      const all = letter + (CAPITALS.get(letter) ?? '')
      return all === letter && !'*?['.includes(letter) ? letter : `[${all}]`
    })
    .join('')
}
