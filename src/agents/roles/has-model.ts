import type { RoleContext } from '../../core/actor.ts'

/** Whether the run has a model: one is configured, or was asked before the time for it was over. */
export async function hasModel({ transcript, state }: RoleContext): Promise<boolean> {
  return (await transcript.model()) !== undefined || state.usage.calls > 0
}
