import type { AgentTask } from '../../../core/actor.ts'
import { given } from '../../../core/given.ts'
import { runRule } from '../../rules/run-rule.ts'
import type { revised } from './revise.ts'

/** `revised` in the thread of the rules. When it takes too long, no instruction counts as followed. */
export async function revisionOf({ planned, instructions, text }: AgentTask): Promise<ReturnType<typeof revised>> {
  const revision = await runRule('revise', { text, ...given({ planned, instructions }) })
  return revision ?? { text, open: instructions ?? [] }
}
