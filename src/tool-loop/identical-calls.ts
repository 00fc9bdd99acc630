import { toolCallsOf, type ToolCallPart } from '../domain/turn.ts'
import type { CallAnswer, CallPosition, TranscriptState } from '../domain/transcript.ts'

/** Name and input of a call in one form; the order of keys does not matter. */
export function identityOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): string {
  return `${name} ${JSON.stringify(input, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })}`
}

/**
 * Results of the same read before a position, the first one first, as long as no call in between may have changed
 * anything; failed calls may have. Failed reads are excluded. Reads of a turn run before its other calls.
 * @param isWrite whether a call may change something
 */
export function identicalReads(
  { turns }: TranscriptState,
  position: CallPosition,
  identity: string,
  isWrite: (call: ToolCallPart) => boolean,
): readonly CallAnswer[] {
  let found: CallAnswer[] = []
  for (const [at, { message, answers }] of turns.slice(0, position.turn).entries()) {
    const isSameTurn = at + 1 === position.turn
    const calls = toolCallsOf(message)
    for (const [index, part] of calls.slice(0, isSameTurn ? position.index : undefined).entries()) {
      const answer = answers.get(index)
      if (answer !== undefined && answer.error === undefined && identityOf(part) === identity) found.push(answer)
    }
    if (!isSameTurn && calls.some(isWrite)) found = []
  }
  return found
}
