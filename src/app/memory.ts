import type { Embedder } from '../documents/types.ts'
import { memoryRoles } from '../memory/roles.ts'
import type { EmbedTask, SkillIndex } from '../memory/skills/tools.ts'
import type { AppParts } from './app-parts.ts'
import { maskedConversations, maskedExecutions, maskedSkills } from './secrets.ts'

/** Data that later runs use, without secrets. */
export type Memory = ReturnType<typeof openMemory>

type Parts = Pick<AppParts, 'storage' | 'secrets' | 'mailboxes' | 'knowledge'>

export function openMemory({ storage, secrets, mailboxes, knowledge }: Parts) {
  const { profiles } = storage
  const conversations = maskedConversations(storage.conversations, secrets, mailboxes.secretsOf)
  const skills = maskedSkills(storage.skills, secrets)
  const skillIndex: SkillIndex = { store: skills, ...embedTask(knowledge.embedder) }
  return {
    profiles,
    conversations,
    skills,
    executions: maskedExecutions(storage.executions, secrets),
    skillIndex,
    roles: memoryRoles({ profiles, conversations, skillIndex }),
  }
}

/** Skills are found by their words if the embedding model is unavailable. */
function embedTask(embedder: Embedder | undefined): { readonly embed?: EmbedTask } {
  if (embedder === undefined) return {}
  const { model } = embedder
  return {
    embed: async (task) => {
      const [vector] = await embedder.embed([task], 'query').catch(() => [])
      return vector === undefined ? undefined : { model, values: [...vector] }
    },
  }
}
