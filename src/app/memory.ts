import type { Role } from '../domain/actor.ts'
import type { ConversationStore, ProfileStore } from '../domain/conversation.ts'
import type { ExecutionStore } from '../domain/store.ts'
import type { SkillStore } from '../domain/skill.ts'
import type { Embedder } from '../documents/types.ts'
import { memoryRoles } from '../memory/roles.ts'
import type { EmbedTask, SkillShelf } from '../memory/skills/tools.ts'
import type { Storage } from '../storage/index.ts'
import type { Checked } from './check-options.ts'
import type { OwnMailboxes } from './mailboxes.ts'
import { maskedConversations, maskedExecutions, maskedSkills } from './secrets.ts'

/** Data that later runs use, without secrets. */
export interface Memory {
  readonly profiles: ProfileStore
  readonly conversations: ConversationStore
  readonly skills: SkillStore
  readonly executions: ExecutionStore
  readonly shelf: SkillShelf
  readonly roles: readonly Role[]
}

interface Parts {
  readonly options: Pick<Checked, 'clock'>
  readonly storage: Storage
  readonly secrets: readonly string[]
  readonly mailboxes: Pick<OwnMailboxes, 'secretsOf'>
  readonly embedder?: Embedder
}

export function openMemory({ options: { clock }, storage, secrets, mailboxes, embedder }: Parts): Memory {
  const { profiles } = storage
  const conversations = maskedConversations(storage.conversations, secrets, mailboxes.secretsOf)
  const skills = maskedSkills(storage.skills, secrets)
  const shelf = { store: skills, now: () => clock.now(), ...embedTask(embedder) }
  return {
    profiles,
    conversations,
    skills,
    executions: maskedExecutions(storage.executions, secrets),
    shelf,
    roles: memoryRoles({ profiles, conversations, shelf }),
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
