import { exactNumber } from '../../../core/exact-number.ts'
import type { Endpoint, Schema } from '../catalogue/types.ts'
import { meansNoun, valueAfter } from './question.ts'
import { stem, wordsOf } from '../../../language/tokens.ts'
import { typeOf } from '../catalogue/parts.ts'
import { fromContext, isFree, use, type Reading } from './reading.ts'

export type FilledBody = { readonly body: Record<string, unknown> | null } | { readonly problem: string }

/**
 * A body made of what the question says of its fields, `quantity 3` or `note: "call first"`. Fields that must be there
 * and are not said are a problem; nothing is made up.
 */
export function fillBody(endpoint: Endpoint, reading: Reading): FilledBody {
  const spec = endpoint.body()
  if (spec === undefined) return { body: null }
  const properties = (spec.schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value =
      schema['readOnly'] === true ? undefined : (fieldValue(name, schema, reading) ?? fromContext(reading, name))
    if (value !== undefined) body[name] = value
  }
  const required = Array.isArray(spec.schema['required']) ? (spec.schema['required'] as string[]) : []
  const missing = required.filter((name) => body[name] === undefined)
  if (missing.length > 0) return { problem: `the question does not say: ${missing.join(', ')}` }
  if (Object.keys(body).length > 0) return { body }
  return spec.required ? { problem: 'the question does not say what to send' } : { body: null }
}

function fieldValue(name: string, schema: Schema, reading: Reading): string | number | boolean | undefined {
  const { words } = reading
  const type = typeOf(schema)
  const choice = (type.enum ?? []).find((value) => {
    const at = words.findIndex((word, i) => isFree(reading, i) && word.lower === String(value).toLowerCase())
    if (at >= 0) use(reading, at)
    return at >= 0
  })
  if (choice !== undefined) return choice
  if (type.type === 'object' || type.type === 'array' || type.enum !== undefined) return undefined
  const nouns = wordsOf(name)
    .filter((word) => word !== 'id')
    .map(stem)
  for (const [at, word] of words.entries()) {
    const pair = /^([\w.-]+)[=:](.+)$/.exec(word.text)
    if (isFree(reading, at) && pair?.[1]!.toLowerCase() === name.toLowerCase()) return taken(pair[2]!, at)
    if (nouns.length === 0 || !meansNoun(word, nouns.at(-1)!)) continue
    const value = valueAfter(words, at)
    if (value >= 0 && isFree(reading, value)) return taken(words[value]!.text, value)
  }
  return undefined

  function taken(text: string, at: number): string | number | boolean | undefined {
    if (type.type === 'boolean') return undefined
    const isNumber = type.type === 'number' || type.type === 'integer'
    if (isNumber && !/^-?\d+(\.\d+)?$/.test(text)) return undefined
    use(reading, at)
    return isNumber ? exactNumber(text) : text
  }
}
