import { parseSync } from 'oxc-parser'

/** A sentence as its source has it, with `{}` for each value. */
export interface Sentence {
  readonly file: string
  readonly text: string
  /** Of an error: its code, where the source names it. */
  readonly code?: string
}

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** What is no sentence for people: texts for models, for those who read the API, for the log, SQL; answers, which rules give in English. */
const NOT_SAID = new Set('describe definePrompt defineTool defineRole note meta finding'.split(' '))
const NOT_FIELDS = new Set('description wording about summary purpose when fallback answer instructions'.split(' '))
const IS_SQL = /^\{?\}?\s*(?:SELECT|UPDATE|DELETE FROM|INSERT|CREATE|WHERE|ON CONFLICT|BEGIN|ALTER|DROP)\b|ORDER BY/

/** The sentences of errors, of declining and refusing, names of origins, and what agents and tools are for, that a source file may give; names for texts are followed within the file. */
export function thrownIn(file: string, source: string): Sentence[] {
  const { program } = parseSync(file, source)
  const named = new Map<string, Node[]>()
  const found: Sentence[] = []
  walk(program as unknown as Node, (node) => {
    if (node.type === 'VariableDeclarator' && isNode(node['init'])) {
      const name = nameOf(node['id'])
      named.set(name, [...(named.get(name) ?? []), node['init']])
    }
    return true
  })
  walk(program as unknown as Node, (node) => {
    const [first, second] = (node['arguments'] ?? []) as Node[]
    const called = nameOf(node['callee'])
    if (node.type === 'NewExpression' && called === 'TuttiError' && second !== undefined) {
      const code = first?.type === 'Literal' ? { code: String(first['value']) } : {}
      for (const text of textsOf(second, named)) found.push({ file, text, ...code })
    }
    if (node.type === 'CallExpression' && /^define(?:Agent|Tool)$/.test(called))
      for (const { key, value } of (first?.['properties'] ?? []) as { key?: unknown; value?: Node }[])
        if (nameOf(key) === 'description') for (const text of textsOf(value!, named)) found.push({ file, text })
    if (node.type === 'CallExpression' && /^(?:ownData|untrusted)$/.test(called))
      walk(node['arguments'], (part) => {
        if (part.type !== 'TemplateLiteral' && part.type !== 'Literal') return true
        for (const text of textsOf(part, named)) if (text.includes(' ')) found.push({ file, text })
        return false
      })
    // Beside the sentence there may be the name of a rule.
    if (node.type === 'CallExpression' && /^(?:declined?|refus(?:e|al))$/.test(called))
      for (const given of node['arguments'] as Node[])
        for (const text of textsOf(given, named)) if (text.includes(' ')) found.push({ file, text })
    return true
  })
  return found.filter(({ text }) => /[a-z]{2}/.test(text.replaceAll('{}', '')))
}

/** Whatever looks like a sentence for people in a source file. @param isLeftOut errors of which codes are */
export function writtenIn(file: string, source: string, isLeftOut: (code: string) => boolean): Sentence[] {
  const found: Sentence[] = []
  walk(parseSync(file, source).program as unknown as Node, (node) => {
    if (node.type === 'CallExpression' && NOT_SAID.has(nameOf(node['callee']))) return false
    if (node.type === 'TaggedTemplateExpression') return false
    const [first] = (node['arguments'] ?? []) as Node[]
    if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Error') return false
    if (node.type === 'NewExpression' && first?.type === 'Literal' && isLeftOut(String(first['value']))) return false
    if (node.type === 'Property' && NOT_FIELDS.has(nameOf(node['key']))) return false
    if (node.type !== 'TemplateLiteral' && !(node.type === 'Literal' && typeof node['value'] === 'string')) return true
    for (const text of textsOf(node, new Map())) {
      const words = text.match(/[a-z]{2,}/g) ?? []
      const isSentence = /^(?:[A-Z“"]|\{\}).*[.?!](?:\{\})?$/s.test(text) && words.length >= 3
      if (isSentence && !IS_SQL.test(text) && !/\n|\(\?/.test(text)) found.push({ file, text })
    }
    return false
  })
  return found
}

/** All texts that an expression may give. */
function textsOf(node: Node, named: ReadonlyMap<string, readonly Node[]>, depth = 0): string[] {
  const of = (other: unknown): string[] => textsOf(other as Node, named, depth + 1)
  if (depth > 8) return ['{}']
  switch (node.type) {
    case 'Literal':
      return [String(node['value'])]
    case 'TemplateLiteral': {
      const [head, ...rest] = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
      const holes = node['expressions'] as Node[]
      return holes.reduce<string[]>(
        (texts, hole, at) => texts.flatMap((text) => holeOf(hole, of).map((value) => text + value + rest[at]!)),
        [head!],
      )
    }
    case 'ConditionalExpression':
      return [...of(node['consequent']), ...of(node['alternate'])]
    case 'LogicalExpression':
      return [...of(node['left']), ...of(node['right'])]
    case 'ParenthesizedExpression':
      return of(node['expression'])
    case 'BinaryExpression':
      return node['operator'] === '+'
        ? of(node['left']).flatMap((left) => of(node['right']).map((right) => left + right))
        : ['{}']
    case 'Identifier':
      return named.get(nameOf(node))?.flatMap(of) ?? ['{}']
    default:
      return ['{}']
  }
}

/** A value in a sentence is one, unless it is one of two texts that stand there. */
function holeOf(hole: Node, of: (node: unknown) => string[]): string[] {
  return ['ConditionalExpression', 'Literal', 'TemplateLiteral'].includes(hole.type) ? of(hole) : ['{}']
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  return String(node['name'] ?? (isNode(node['property']) ? node['property']['name'] : '') ?? '')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Calls `look` with each node, and looks into those for which it says so. */
function walk(node: unknown, look: (node: Node) => boolean): void {
  if (Array.isArray(node)) for (const one of node) walk(one, look)
  else if (isNode(node)) {
    if (look(node)) for (const value of Object.values(node)) walk(value, look)
  }
}
