import type { SchemaProblem } from '../../domain/schema-problems.ts'

/** Parses YAML or JSON. @throws Error with the line of a syntax error */
export async function readYaml(text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken !== undefined) throw new Error(`line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  return document.toJS() ?? {}
}

/**
 * Replaces `${NAME}` in all texts by that environment variable; `$${NAME}` becomes `${NAME}`.
 * @param onUnset called for each variable that is not set
 */
export function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  onUnset: (problem: SchemaProblem) => void,
  path: readonly PropertyKey[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((inner, i) => withVariables(inner, env, onUnset, [...path, i]))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withVariables(inner, env, onUnset, [...path, key])]),
    )
  }
  if (typeof value !== 'string') return value
  return value.replace(/\$(\$?)\{([A-Za-z_]\w*)\}/g, (whole, isEscaped: string, name: string) => {
    if (isEscaped !== '') return whole.slice(1)
    const setting = env[name]
    if (setting === undefined || setting === '') {
      onUnset({ path, message: `needs the environment variable ${name}, which is not set` })
    }
    return setting ?? ''
  })
}
