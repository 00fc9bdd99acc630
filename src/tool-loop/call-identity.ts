import type { CallAnswer, CallPosition, TranscriptState } from '../domain/transcript.ts'
import { toolCallsOf, type ToolCallPart } from '../domain/turn.ts'
import { mergedSchema } from '../domain/merged-schema.ts'
import { isObject, stableJson } from '../shared/json.ts'

/** Name and input of a call in one form; the order of keys does not matter. */
export function identityOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): string {
  return `${name} ${stableJson(input)}`
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

/** The fields that the schema of a tool names, and those of an input that it excludes. */
export function checkFields(schema: Readonly<Record<string, unknown>>, input: unknown) {
  const known = Object.keys(mergedSchema(schema, schema).properties)
  const { additionalProperties = false } = schema
  const isChecked = isObject(input) && known.length > 0 && additionalProperties === false
  return { known, unknown: isChecked ? Object.keys(input).filter((name) => !known.includes(name)) : [] }
}
