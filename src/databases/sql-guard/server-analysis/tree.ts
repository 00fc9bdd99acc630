/** A node of PostgreSQL's parse tree as written by `outfuncs.c`: `{TAG :field value :field value}`. */
export interface ParseNode {
  readonly tag: string
  readonly fields: ReadonlyMap<string, ParseValue>
}

/** A node, a list `( … )` or the bytes of a constant `[ … ]`, or a word. */
export type ParseValue = ParseNode | readonly ParseValue[] | string

/** The tree cannot be parsed reliably, so nothing can be concluded from it. */
export class UnreadableTree extends Error {
  override readonly name = 'UnreadableTree'
}

/** Bytes after which the server breaks a line (`format_node_dump` in `print.c`). */
const LINE_BYTES = 78
/** In other server encodings a character may take more bytes than in UTF-8. */
const LINE_BYTES_OTHER = 39
const MAX_DEPTH = 1_500

/**
 * Parses a tree from the text of the server's log message. Fails on anything unexpected: the author of the query may
 * choose a name in the tree, so guessing would be unsafe.
 * @throws UnreadableTree
 */
export function readParseTree(dump: string, encoding: string): ParseNode {
  const reader = { tokens: tokensOf(unwrap(dump, encoding)), at: 0, depth: 0 }
  const root = readValue(reader)
  if (reader.at !== reader.tokens.length) fail('something follows its end')
  if (!isNode(root)) fail('it is no node')
  return root
}

export function isNode(value: ParseValue | undefined): value is ParseNode {
  return typeof value === 'object' && 'tag' in value
}

export function fail(why: string): never {
  throw new UnreadableTree(why)
}

/**
 * Removes the server's line breaks. A break replaces a space, except in a line without one: there it is inside a word.
 * Such a word (78 bytes with all its backslashes) is rejected instead of guessed.
 */
function unwrap(dump: string, encoding: string): string {
  const limit = encoding === 'UTF8' ? LINE_BYTES : LINE_BYTES_OTHER
  const lines = dump.replace(/\n+$/, '').split('\n')
  let wasOpenWord = false
  for (const line of lines) {
    const isWord = !line.includes(' ', 1)
    // A line break in a name is escaped; only then does a line of the server span several lines here.
    if (isWord && (wasOpenWord || Buffer.byteLength(line) >= limit)) fail('a name in it is too long')
    wasOpenWord = isWord && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)
  }
  return lines.join(' ')
}

/**
 * Words end at space, tab, line break and brackets, as in `pg_strtok`; a backslash includes the next character in the
 * word.
 */
const TOKEN = /[ \t\n]+|[(){}]|(?:\\[\s\S]|[^\\ \t\n(){}])+/y

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0] ?? fail('it breaks off')
    if (!/^[ \t\n]/.test(token)) tokens.push(token)
  }
  return tokens
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
  depth: number
}

function next(reader: Reader): string {
  return reader.tokens[reader.at++] ?? fail('it breaks off')
}

function readValue(reader: Reader): ParseValue {
  const token = next(reader)
  if (token === '{') return descend(reader, readNode)
  if (token === '(') return descend(reader, readList)
  if (token === '}' || token === ')') fail('its brackets do not match')
  return token
}

function descend<T>(reader: Reader, read: (reader: Reader) => T): T {
  reader.depth += 1
  if (reader.depth > MAX_DEPTH) fail('it is nested too deeply')
  const value = read(reader)
  reader.depth -= 1
  return value
}

/** A field's value is the next token, even if it looks like a field: names are not distinguished by their text. */
function readNode(reader: Reader): ParseNode {
  const tag = next(reader)
  const fields = new Map<string, ParseValue>()
  for (let token = next(reader); token !== '}'; token = next(reader)) {
    if (!/^:\w+$/.test(token) || fields.has(token.slice(1))) fail(`${tag} has a field that cannot be read`)
    const value = readValue(reader)
    fields.set(token.slice(1), token === ':constvalue' && value !== '<>' ? readBytes(reader) : value)
  }
  return { tag, fields }
}

function readList(reader: Reader): ParseValue[] {
  const items: ParseValue[] = []
  while (reader.tokens[reader.at] !== ')') items.push(readValue(reader))
  reader.at += 1
  return items
}

/** `4 [ 16 0 0 0 ]`: the bytes of a constant, preceded by their number. */
function readBytes(reader: Reader): string[] {
  if (next(reader) !== '[') fail('a constant cannot be read')
  const bytes: string[] = []
  for (let token = next(reader); token !== ']'; token = next(reader)) {
    if (!/^-?\d{1,3}$/.test(token)) fail('a constant cannot be read')
    bytes.push(token)
  }
  return bytes
}
