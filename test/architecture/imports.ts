import { parseSync, Visitor, type VisitorObject } from 'oxc-parser'

/**
 * `static`: loaded with the file. `type`: gone at run time. `lazy`: loaded when reached, by `import()`, `require` or
 * `new URL('…', import.meta.url)`, with which workers are started.
 */
export type ImportKind = 'static' | 'type' | 'lazy'

export interface Import {
  /** As written; undefined when it is computed and cannot be checked. */
  readonly specifier: string | undefined
  readonly kind: ImportKind
  readonly line: number
}

/**
 * Every import, re-export and dynamic import of a source file, in order.
 * @throws Error when the file does not parse
 */
export function importsOf(fileName: string, source: string): Import[] {
  const { program, errors } = parseSync(fileName, source)
  if (errors.length > 0) throw new Error(`${fileName} does not parse: ${errors[0]!.message}`)
  const found: (Import & { readonly start: number })[] = []
  const add = (start: number, kind: ImportKind, target: unknown): void => {
    const line = source.slice(0, start).split('\n').length
    for (const specifier of textsOf(target)) found.push({ specifier, kind, start, line })
  }
  const visitor: VisitorObject = {
    // `import { type X }` keeps an import under verbatimModuleSyntax; only `import type` is erased.
    ImportDeclaration: (node) => add(node.start, node.importKind === 'type' ? 'type' : 'static', node.source),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.start, node.exportKind === 'type' ? 'type' : 'static', node.source)
    },
    ExportAllDeclaration: (node) => add(node.start, node.exportKind === 'type' ? 'type' : 'static', node.source),
    ImportExpression: (node) => add(node.start, 'lazy', node.source),
    TSImportType: (node) => add(node.start, 'type', node.source),
    TSExternalModuleReference: (node) => add(node.start, 'static', node.expression),
    CallExpression: (node) => {
      const { callee } = node
      if (callee.type === 'Identifier' && callee.name === 'require') add(node.start, 'lazy', node.arguments[0])
    },
    NewExpression: (node) => {
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL'
      const [target, base] = node.arguments
      if (isUrl && base?.type === 'MemberExpression' && base.object.type === 'MetaProperty')
        add(node.start, 'lazy', target)
    },
  }
  new Visitor(visitor).visit(program)
  return found.sort((a, b) => a.start - b.start).map(({ specifier, kind, line }) => ({ specifier, kind, line }))
}

/** The value of a string literal or of a template without holes; both values of `condition ? 'a' : 'b'`. */
function textsOf(target: unknown): (string | undefined)[] {
  const node = (target ?? {}) as {
    value?: unknown
    quasis?: { value: { cooked: string } }[]
    consequent?: unknown
    alternate?: unknown
  }
  if (node.consequent !== undefined) return [...textsOf(node.consequent), ...textsOf(node.alternate)]
  if (typeof node.value === 'string') return [node.value]
  return [node.quasis?.length === 1 ? node.quasis[0]!.value.cooked : undefined]
}
