import type { RoleContext } from '../../core/actor.ts'
import { TuttiError } from '../../core/errors.ts'

/** Whether the run has a model: one is configured, also where it cannot be asked now, or was asked before the time for it was over. */
export async function hasModel({ transcript, state }: RoleContext): Promise<boolean> {
  if (state.usage.calls > 0) return true
  try {
    return (await transcript.model()) !== undefined
  } catch (thrown) {
    if (TuttiError.is(thrown, 'ModelUnavailable')) return true
    throw thrown
  }
}
