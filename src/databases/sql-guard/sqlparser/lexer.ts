import { wordSet } from '../../../shared/word-set.ts'
import { printableName, rejectQuery } from '../verdict.ts'

/**
 * Lexes a MySQL or SQLite query before sqlparser parses it, and rejects text that the database might read differently:
 * a comment or a literal that ends elsewhere would hide a table from the SQL guard. Allowed is the part of the language
 * for which all three agree on the ends of words, literals and comments.
 */
export type LexedDialect = 'mysql' | 'sqlite'

export interface Lexed {
  /**
   * The text for sqlparser: harmless constructs that it cannot parse are replaced. It is never run.
   */
  readonly readable: string
  /** The position in the query of a position in `readable`. */
  readonly positionOf: (at: number) => number
  readonly words: WordCount
}

/** Counts of words that occur only in queries; compared with the tree afterwards. */
export interface WordCount {
  readonly select: number
  readonly from: number
  readonly join: number
}

/** More operators make a tree so deep that sqlparser's memory is corrupted (at about 1,000). */
const MAX_OPERATORS = 300
const OPERATOR_WORDS = wordSet(
  'and or xor not is in like between regexp rlike glob match div mod union except intersect collate escape isnull notnull',
)

/** Words that sqlparser reserves and the databases do not. They are quoted for it, unless a number or a bracket follows. */
const PARSER_WORDS = wordSet(
  'top sort pivot unpivot minus cluster distribute anti semi asof tablesample prewhere settings qualify sample start connect match_condition',
)

const SPACE = /[ \t\r\n]/
/**
 * Characters of a word: letters, digits and `_`. Beyond ASCII, only letters of the basic plane; SQLite treats a
 * no-break space as a letter.
 */
const WORD = /[\p{L}\p{M}\p{N}_]/u
const SYMBOL = /[(),.;*+\-/%<>=!|&~^]/

interface Lexer {
  readonly sql: string
  readonly dialect: LexedDialect
  readonly words: Map<string, number>
  readonly changes: { readonly at: number; readonly end: number; readonly text: string }[]
  /** The last word and its position. */
  last: { readonly word: string; readonly at: number; readonly end: number }
  operators: number
  ended: boolean
}

/** Checks the text or rejects it. Returns the text for the parser and the word counts that its tree must match. */
export function lex(sql: string, dialect: LexedDialect): Lexed {
  const last = { word: '', at: 0, end: 0 }
  const lexer: Lexer = { sql, dialect, words: new Map(), changes: [], last, operators: 0, ended: false }
  for (let at = 0; at < sql.length;) at = next(lexer, at)
  if (lexer.operators > MAX_OPERATORS) {
    rejectQuery(
      'length',
      `The query has ${lexer.operators} operators; at most ${MAX_OPERATORS} are allowed. Use IN (…) for long lists.`,
    )
  }
  const count = (word: string) => lexer.words.get(word) ?? 0
  let readable = sql
  for (const { at, end, text } of lexer.changes.toReversed())
    readable = readable.slice(0, at) + text + readable.slice(end)
  const words = { select: count('select'), from: count('from'), join: count('join') }
  return { readable, words, positionOf: (at) => originalPosition(at, lexer) }
}

function originalPosition(at: number, { changes }: Lexer): number {
  let position = at
  for (const { at: start, end, text } of changes) {
    if (start < position) position -= Math.min(text.length - (end - start), position - start)
  }
  return position
}

/** Reads one token; returns the start of the next one. */
function next(lexer: Lexer, at: number): number {
  const { sql, dialect } = lexer
  const char = sql[at] ?? ''
  if (SPACE.test(char)) return at + 1
  const comment = readComment(lexer, at)
  if (comment !== undefined) return comment
  if (lexer.ended)
    rejectQuery('statement-count', 'Something follows the semicolon; write exactly one SELECT statement.')
  if (char === "'" || char === '"' || char === '`') return readQuoted(lexer, at, char)
  if (char === '[' && dialect === 'sqlite') return readQuoted(lexer, at, ']')
  if (WORD.test(char)) return readWord(lexer, at)
  if (!SYMBOL.test(char)) refuseCharacter(char)
  if (char === ';') lexer.ended = true
  if (/[+\-*/%<>=!|&~^]/.test(char)) lexer.operators += 1
  return at + 1
}

function refuseCharacter(char: string): never {
  if (char === '@')
    rejectQuery('variable', 'Variables (@x, @@x) and named parameters are not allowed; write the value itself.')
  if (char === '?' || char === ':' || char === '$') {
    rejectQuery('variable', `The parameter sign ${char} is not allowed outside quotes; write the value itself.`)
  }
  if (char === '\\') rejectQuery('character', 'A backslash is not allowed outside quotes; remove it.')
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return rejectQuery('character', `The character U+${code} is not allowed outside quotes; remove it.`)
}

/** Where a comment that starts here ends; undefined where none starts. */
function readComment(lexer: Lexer, at: number): number | undefined {
  const { sql, dialect } = lexer
  if (sql.startsWith('/*', at)) return readBlockComment(sql, at)
  const isHash = dialect === 'mysql' && sql[at] === '#'
  if (!isHash && !sql.startsWith('--', at)) return undefined
  // To MySQL `--x` is minus minus x; to sqlparser and SQLite it is a comment.
  if (!isHash && dialect === 'mysql' && !/^[ \t\n]?$/.test(sql[at + 2] ?? '')) {
    rejectQuery('comment', 'In MySQL a -- comment needs a space after it; add one, or write - - for a double minus.')
  }
  const end = sql.indexOf('\n', at)
  const comment = sql.slice(at, end < 0 ? sql.length : end)
  // A carriage return ends the comment to some and not to others. One right before the line feed is harmless.
  if (comment.slice(0, -1).includes('\r'))
    rejectQuery('comment', 'There is a carriage return inside a comment; remove it.')
  return at + comment.length
}

function readBlockComment(sql: string, at: number): number {
  const end = sql.indexOf('*/', at + 2)
  if (end < 0) rejectQuery('comment', 'A comment is not closed; add */ or remove it.')
  const inside = sql.slice(at + 2, end)
  if (/^\s*[!+]|^\s*M!/i.test(inside)) {
    rejectQuery('comment', 'Executable comments and hints (/*! */, /*M! */, /*+ */) are not allowed; remove them.')
  }
  if (inside.includes('/*')) rejectQuery('comment', 'Comments must not be nested; remove the inner one.')
  return end + 2
}

/** Literals and quoted names double their quote to hold it; that is the one escape on which all agree. */
function readQuoted(lexer: Lexer, at: number, quote: string): number {
  const { sql, dialect } = lexer
  let end = at + 1
  for (;;) {
    end = sql.indexOf(quote, end)
    if (end < 0) rejectQuery('literal', `A text that starts with ${sql[at]} is not closed; add the closing quote.`)
    if (sql[end + 1] !== quote || quote === ']') break
    end += 2
  }
  if (quote === ']' && sql[end + 1] === ']')
    rejectQuery('literal', 'A name in square brackets must not hold a bracket.')
  const inside = sql.slice(at + 1, end)
  if (dialect === 'mysql' && inside.includes('\\')) {
    rejectQuery(
      'literal',
      'A backslash in a MySQL literal means different things by server setting; write it without one.',
    )
  }
  // A comma or an operator between them is never missing in honest SQL; `x'41'`, `N'…'` and `_utf8'…'` are read differently.
  if (WORD.test(sql[at - 1] ?? '') || WORD.test(sql[end + 1] ?? '')) {
    rejectQuery(
      'literal',
      "A quoted text touches a word, as in x'41'; put a space between them or write a plain literal.",
    )
  }
  return end + 1
}

function readWord(lexer: Lexer, at: number): number {
  let end = at
  while (end < lexer.sql.length && WORD.test(lexer.sql[end] ?? '')) end += 1
  const word = lexer.sql.slice(at, end).toLowerCase()
  // `.5FROM secret` is a number and FROM to MySQL, one strange name to sqlparser.
  if (/^\d/.test(word) && !isNumber(word, lexer.sql.slice(end, end + 2))) {
    const reason = `${printableName(word)} is neither a number nor a name; put a space after a number, quotes around a name.`
    rejectQuery('literal', reason, { name: word })
  }
  lexer.words.set(word, (lexer.words.get(word) ?? 0) + 1)
  if (OPERATOR_WORDS.has(word)) lexer.operators += 1
  noteChange(lexer, word, at, end)
  lexer.last = { word, at, end }
  return end
}

/**
 * MySQL's `WITH ROLLUP` is blanked and SQLite's GLOB operator read as LIKE: neither can name a table or call anything else. A
 * name that only sqlparser reserves is quoted.
 */
function noteChange({ sql, dialect, last, changes }: Lexer, word: string, at: number, end: number): void {
  if (dialect === 'mysql' && word === 'rollup' && last.word === 'with' && sql.slice(last.end, at).trim() === '') {
    changes.push({ at: last.at, end, text: ' ' })
  }
  if (dialect === 'sqlite' && word === 'glob' && !sql.slice(end).trimStart().startsWith('(')) {
    changes.push({ at, end, text: 'LIKE' })
  }
  if (PARSER_WORDS.has(word) && !/^\s*[\d(]/.test(sql.slice(end))) {
    const quote = dialect === 'mysql' ? '`' : '"'
    changes.push({ at, end, text: quote + sql.slice(at, end) + quote })
  }
}

/** Decimal or hexadecimal digits; an exponent may be followed by a sign and digits. */
function isNumber(word: string, rest: string): boolean {
  return /^(\d+(e\d+)?|0x[0-9a-f]+)$/.test(word) || (/^\d+e$/.test(word) && /^[+-]\d/.test(rest))
}
