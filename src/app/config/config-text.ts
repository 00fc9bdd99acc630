import type { z } from 'zod'
import type { SchemaProblem } from '../../domain/schema-problems.ts'

/** A configuration as it was read, with the positions of its parts. */
export interface ConfigText {
  readonly value: unknown
  /** The line of a field, from 1; undefined if unknown, as in a configuration in code. */
  lineOf(path: readonly PropertyKey[]): number | undefined
}

/** Parses YAML or JSON. @throws Error with the line of a syntax error */
export async function readYaml(text: string): Promise<ConfigText> {
  const { LineCounter, parseDocument, isNode, isMap, isSeq } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken !== undefined) throw new Error(`line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  return {
    value: document.toJS() ?? {},
    lineOf(path) {
      let node: unknown = document.contents
      let named: unknown = node
      for (const step of path) {
        const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined
        if (pair !== undefined) [named, node] = [pair.key, pair.value]
        else if (isSeq(node) && typeof step === 'number') named = node = node.items[step] ?? node
        else break
      }
      return isNode(named) && named.range ? lines.linePos(named.range[0]).line : 1
    },
  }
}

/**
 * Replaces `${NAME}` in all texts by that environment variable; `$${NAME}` becomes `${NAME}`. Values that are no plain
 * data, such as agents, are left unchanged.
 * @param onUnset called for each variable that is not set
 */
export function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  onUnset: (problem: SchemaProblem) => void,
  path: readonly PropertyKey[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((inner, i) => withVariables(inner, env, onUnset, [...path, i]))
  if (typeof value === 'object' && value !== null && isPlain(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withVariables(inner, env, onUnset, [...path, key])]),
    )
  }
  if (typeof value !== 'string') return value
  return value.replace(/\$(\$?)\{([A-Za-z_]\w*)\}/g, (whole, isEscaped: string, name: string) => {
    if (isEscaped !== '') return whole.slice(1)
    const found = env[name]
    if (found === undefined || found === '') {
      onUnset({ path, message: `needs the environment variable ${name}, which is not set` })
    }
    return found ?? ''
  })
}

/**
 * Variables are texts. If a number or a switch is required and the text consists of one variable, its value is
 * converted.
 * @param value as returned by `withVariables`; changed in place
 * @returns whether anything was changed
 */
export function setNumbers(written: unknown, value: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  let isChanged = false
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || !/^\$\{[A-Za-z_]\w*\}$/.test(String(at(written, issue.path)))) continue
    const parent = at(value, issue.path.slice(0, -1))
    const text = String(issue.input).trim()
    const parsed = /^(?:true|false)$/.test(text) ? text === 'true' : text === '' ? Number.NaN : Number(text)
    const expectedType = issue.expected === 'int' ? 'number' : issue.expected
    if (typeof parent !== 'object' || parent === null || Number.isNaN(parsed) || typeof parsed !== expectedType)
      continue
    Reflect.set(parent, issue.path.at(-1)!, parsed)
    isChanged = true
  }
  return isChanged
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, step) => (Object(inner) as Record<PropertyKey, unknown>)[step], value)
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !('run' in value)
}
