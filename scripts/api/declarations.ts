/** What a module exports, read from its source: names, doc comments, and declarations without bodies. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

export interface Exported {
  readonly name: string
  readonly kind: 'class' | 'const' | 'function' | 'interface' | 'type'
  /** The comment without its stars. */
  readonly comment: string
  /** As a declaration file would have it, with the comments of its members. */
  readonly declaration: string
  /** Names of types that the declaration mentions. */
  readonly mentions: readonly string[]
}

type Span = readonly [start: number, end: number]
type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number }

/**
 * The exports of a module and of what it re-exports, in the order of their names.
 * @throws Error for an export that this reader does not understand
 */
export function exportsOf(file: string): readonly Exported[] {
  const { body, source, comments } = read(file)
  const found: Exported[] = []
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const from = (statement['source'] as { value: string } | null)?.value
    const declaration = statement['declaration'] as Node | null
    if (declaration !== null) found.push(...declared(declaration, statement, source, comments))
    for (const { local, exported } of statement['specifiers'] as {
      local: { name: string }
      exported: { name: string }
    }[]) {
      if (exported.name !== local.name) throw new Error(`${file}: ${exported.name} is exported under another name.`)
      const place = from ?? importedFrom(body, local.name)
      found.push(declarationOf(join(dirname(file), place), local.name))
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function declarationOf(file: string, name: string): Exported {
  const found = exportsOf(file).find((one) => one.name === name)
  if (found === undefined) throw new Error(`${file} exports no ${name}.`)
  return found
}

interface Module {
  readonly body: readonly Node[]
  readonly source: string
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[]
}

function read(file: string): Module {
  const source = readFileSync(file, 'utf8')
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]!.message}`)
  return {
    body: program.body as unknown as Node[],
    source,
    comments: comments.filter(({ value }) => value.startsWith('*')),
  }
}

/** Where a name that is only passed on comes from. */
function importedFrom(body: readonly Node[], name: string): string {
  for (const node of body) {
    const specifiers = node.type === 'ImportDeclaration' ? (node['specifiers'] as { local: { name: string } }[]) : []
    if (specifiers.some(({ local }) => local.name === name)) return (node['source'] as { value: string }).value
  }
  throw new Error(`${name} is exported, and neither declared nor imported.`)
}

function declared(node: Node, statement: Node, source: string, comments: Module['comments']): Exported[] {
  const comment = comments.findLast(
    ({ end }) => end <= statement.start && source.slice(end, statement.start).trim() === '',
  )
  const hidden = hiddenIn(node)
  const base = {
    comment: comment === undefined ? '' : plain(comment.value),
    mentions: mentionsOf(node, source, hidden),
  }
  const text = without(hidden, node, source)
  const named = (kind: Exported['kind']): Exported => ({ ...base, kind, name: nameOf(node), declaration: text })
  switch (node.type) {
    case 'TSInterfaceDeclaration':
      return [named('interface')]
    case 'TSTypeAliasDeclaration':
      return [named('type')]
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return [named('function')]
    case 'ClassDeclaration':
      return [named('class')]
    case 'VariableDeclaration':
      if ((node['declarations'] as Node[]).length > 1) throw new Error(`${text}: export one value at a time.`)
      return [{ ...base, kind: 'const', name: nameOf((node['declarations'] as Node[])[0]!), declaration: text }]
    default:
      throw new Error(`An exported ${node.type} is not understood.`)
  }
}

function nameOf(node: Node): string {
  return (node['id'] as { name: string }).name
}

/** From where to where there are bodies of functions, values of fields, and what is private. */
function hiddenIn(node: Node): Span[] {
  const cuts: Span[] = []
  const cutBody = (owner: Node): void => {
    const body = owner['body'] as Node | null
    if (body !== null) cuts.push([body.start, body.end])
  }
  if (node.type === 'FunctionDeclaration') cutBody(node)
  for (const one of node.type === 'VariableDeclaration' ? (node['declarations'] as Node[]) : []) {
    const id = one['id'] as Node
    if (id['typeAnnotation'] !== null && id['typeAnnotation'] !== undefined) cuts.push([id.end, one.end])
  }
  if (node.type === 'ClassDeclaration') {
    let from = (node['body'] as Node).start + 1
    for (const member of (node['body'] as { body: Node[] }).body) {
      const isHidden =
        member['accessibility'] === 'private' ||
        member.type === 'StaticBlock' ||
        (member['key'] as Node | undefined)?.type === 'PrivateIdentifier'
      if (isHidden) cuts.push([from, member.end])
      else if (member.type === 'MethodDefinition') cutBody(member['value'] as Node)
      else if (member['value'] !== null && member['value'] !== undefined) {
        const value = member['value'] as Node
        const { end } = (member['typeAnnotation'] ?? member['key']) as Node
        cuts.push([end, value.end])
      }
      from = member.end
    }
  }
  return cuts
}

function without(cuts: readonly Span[], node: Node, source: string): string {
  let text = ''
  let at = node.start
  for (const [start, end] of cuts) {
    text += source.slice(at, start).trimEnd()
    at = end
  }
  return (text + source.slice(at, node.end)).replaceAll(/\basync (?=function|\*?\w+\()/g, '').replace(/\{\n\n/, '{\n')
}

function mentionsOf(node: Node, source: string, hidden: readonly Span[]): string[] {
  const names = new Set<string>()
  const own = new Set<string>()
  const add = ({ start, end }: { start: number; end: number }): void => {
    if (!hidden.some(([from, to]) => from <= start && end <= to)) names.add(source.slice(start, end))
  }
  const visitor = new Visitor({
    TSTypeReference: ({ typeName }) => add(typeName),
    TSInterfaceHeritage: ({ expression }) => add(expression),
    TSTypeParameter: ({ name }) => void own.add(name.name),
    TSMappedType: ({ key }) => void own.add(key.name),
  })
  visitor.visit({ type: 'Program', body: [node], start: 0, end: 0, sourceType: 'module', hashbang: null } as never)
  return [...names].filter((name) => !own.has(name))
}

function plain(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
}
