import { toolCallsOf, type ToolCallPart } from '../core/turn.ts'
import type { CallAnswer, CallPosition, TranscriptState } from '../core/transcript.ts'

/** Name and input of a call in one form; the order of keys does not matter. */
export function identityOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): string {
  return `${name} ${JSON.stringify(input, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })}`
}

/**
 * Results of the same call before a position, the first one first, as far as no call in between may have changed anything. A call
 * that failed is not among them.
 * @param isWrite whether a call may change something
 */
export function identicalReads(
  { turns }: TranscriptState,
  position: CallPosition,
  identity: string,
  isWrite: (call: ToolCallPart) => boolean,
): readonly CallAnswer[] {
  let found: CallAnswer[] = []
  for (const { message, answers } of turns.slice(0, position.turn - 1)) {
    for (const [index, part] of toolCallsOf(message).entries()) {
      const answer = answers.get(index)
      if (answer === undefined || answer.error !== undefined) continue
      if (identityOf(part) === identity) found.push(answer)
      else if (isWrite(part)) found = []
    }
  }
  return found
}
