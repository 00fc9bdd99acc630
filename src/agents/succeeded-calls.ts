import type { ActorContext } from '../domain/actor.ts'
import { handleOf } from '../domain/transcript.ts'
import { toolCallsOf, type ToolCallPart } from '../domain/turn.ts'
import { inputOf } from '../tool-loop/calls.ts'
import { USE_TOOL } from '../tool-loop/tool-list.ts'

/** A call of a job's transcript that succeeded, under the name that the model knows its tool by. */
export interface SucceededCall {
  readonly tool: string
  readonly input: unknown
  readonly output: unknown
}

/** The successful tool calls in a job's loop, those of continued transcripts first. */
export function succeededCalls({ transcript }: ActorContext): readonly SucceededCall[] {
  return [...transcript.earlier, transcript.state].flatMap((state) =>
    state.turns.flatMap(({ message, answers }, at) =>
      toolCallsOf(message).flatMap((part, index): SucceededCall[] => {
        const answer = answers.get(index)
        if (answer === undefined || answer.error !== undefined) return []
        const result = transcript.recall(handleOf(state, { turn: at + 1, index }))
        return result.part === undefined ? [] : [{ tool: toolName(part), input: inputOf(part), output: result.output }]
      }),
    ),
  )
}

/** The name that the model knows the tool of a call by. */
export function toolName({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): string {
  return name === USE_TOOL ? String(input['name'] ?? '') : name
}
