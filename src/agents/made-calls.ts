import type { ActorContext } from '../core/actor.ts'
import { handleOf } from '../core/transcript.ts'
import { toolCallsOf } from '../core/turn.ts'
import { inputOf } from '../tool-loop/calls.ts'
import { USE_TOOL } from '../tool-loop/tool-list.ts'

/** A call of a job's transcript that succeeded, under the name that the model knows its tool by. */
export interface SucceededCall {
  readonly tool: string
  readonly input: unknown
  readonly output: unknown
}

/** The calls of tools that succeeded in a job's loop, those of continued transcripts first. */
export function succeededCalls({ transcript }: ActorContext): readonly SucceededCall[] {
  return [...transcript.earlier, transcript.state].flatMap((state) =>
    state.turns.flatMap(({ message, answers }, at) =>
      toolCallsOf(message).flatMap((part, index): SucceededCall[] => {
        const result = transcript.recall(handleOf(state, { turn: at + 1, index }))
        if (result?.part === undefined || answers.get(index)?.error !== undefined) return []
        const tool = part.name === USE_TOOL ? String(part.input['name'] ?? '') : part.name
        return [{ tool, input: inputOf(part), output: result.output }]
      }),
    ),
  )
}
