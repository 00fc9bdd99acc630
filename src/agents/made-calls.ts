import type { ActorContext } from '../core/actor.ts'
import { toolCallsOf } from '../core/turn.ts'
import { inputOf } from '../tool-loop/calls.ts'
import { USE_TOOL } from '../tool-loop/tool-list.ts'

/** A call of a job's transcript that succeeded, under the name that the model knows its tool by. */
export interface SucceededCall {
  readonly tool: string
  /** As it was made: of an approved call as the user edited it. */
  readonly input: unknown
  readonly output: unknown
}

/** The calls of tools that a job's loop made and that succeeded, in their order. */
export function succeededCalls({ transcript }: ActorContext): readonly SucceededCall[] {
  return transcript.state.turns.flatMap(({ message }, at) =>
    toolCallsOf(message).flatMap((part, index): SucceededCall[] => {
      const made = transcript.outcome({ turn: at + 1, index })
      if (made === undefined || made.error !== undefined || made.isOpen === true) return []
      const tool = part.name === USE_TOOL ? String(part.input['name'] ?? '') : part.name
      return [{ tool, input: made.edited ?? inputOf(part), output: made.output }]
    }),
  )
}
