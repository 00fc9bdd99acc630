import type { CallAnswer, CallPosition, TranscriptState } from '../domain/transcript.ts'
import { toolCallsOf, type ToolCallPart } from '../domain/turn.ts'
import { mergedSchema } from '../domain/merged-schema.ts'
import { isObject, tryParseJson } from '../shared/json.ts'

/** Name and input of a call in one form; the order of keys does not matter. */
export function identityOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): string {
  return `${name} ${JSON.stringify(input, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })}`
}

/**
 * Results of the same read before a position, in order, since the last call after which the result may differ, even if that call
 * failed. Failed reads are left out. Reads of a turn run before its other calls.
 * @param mayChange whether the result of a read may differ after a call
 */
export function identicalReads(
  { turns }: TranscriptState,
  position: CallPosition,
  identity: string,
  mayChange: (call: ToolCallPart) => boolean,
): readonly CallAnswer[] {
  let found: CallAnswer[] = []
  for (const [at, { message, answers }] of turns.slice(0, position.turn).entries()) {
    const isSameTurn = at + 1 === position.turn
    const calls = toolCallsOf(message)
    for (const [index, part] of calls.slice(0, isSameTurn ? position.index : undefined).entries()) {
      const answer = answers.get(index)
      if (answer !== undefined && answer.error === undefined && identityOf(part) === identity) found.push(answer)
    }
    if (!isSameTurn && calls.some(mayChange)) found = []
  }
  return found
}

export interface Fields {
  /** The arguments with values of the declared types. */
  readonly input: unknown
  readonly known: readonly string[]
  /** Fields that the schema excludes. */
  readonly unknown: readonly string[]
}

/**
 * Parses the arguments of a call by the tool's schema. If the model wrote a number, boolean, list or object as a text,
 * it is converted, unless the field allows texts.
 */
export function readFields(schema: Readonly<Record<string, unknown>>, input: unknown): Fields {
  const properties = mergedSchema(schema, schema).properties as Readonly<Record<string, unknown>>
  const known = Object.keys(properties)
  if (!isObject(input) || known.length === 0) return { input, known, unknown: [] }
  const { additionalProperties = false } = schema
  const fields = Object.entries(input).map(([name, value]) => [name, readValue(properties[name], value)] as const)
  const unknown = additionalProperties === false ? Object.keys(input).filter((name) => !known.includes(name)) : []
  return { input: Object.fromEntries(fields), known, unknown }
}

function readValue(schema: unknown, value: unknown): unknown {
  const type = isObject(schema) ? schema['type'] : undefined
  if (typeof value !== 'string' || type === undefined || type === 'string') return value
  if (Array.isArray(type) && type.includes('string')) return value
  const read = tryParseJson(value.trim())
  return read === undefined || typeof read === 'string' ? value : read
}
