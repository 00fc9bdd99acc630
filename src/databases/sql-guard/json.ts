/** A syntax tree as the parsers give it: plain JSON, read with these helpers because neither parser's types can be trusted. */
export type Tree = Readonly<Record<string, unknown>>

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object; an empty one where it is something else. */
export function tree(value: unknown): Tree {
  return isTree(value) ? value : {}
}

/** The value as an array; an empty one where it is something else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
