import type { RoleContext } from './actor.ts'
import { TuttiError } from './errors.ts'

/** Whether the run has a model: one is configured or has answered before, even if it is not available now. */
export async function hasModel({ transcript }: RoleContext): Promise<boolean> {
  try {
    return (await transcript.model()) !== undefined
  } catch (thrown) {
    if (TuttiError.is(thrown, 'ModelUnavailable')) return true
    throw thrown
  }
}
