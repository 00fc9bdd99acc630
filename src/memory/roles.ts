import type { Role } from '../domain/actor.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import type { ProfileStore } from '../domain/profile.ts'
import type { SkillIndex } from './skills/tools.ts'
import { learnerRole } from './skills/learner.ts'
import { memoryExtractorRole } from './extractor.ts'
import { recorderRole } from './recorder.ts'
import { summarizerRole } from './summarizer.ts'

/** Roles of runs with memory. The strategy `remembering` decides when they run. */
export function memoryRoles(stores: {
  profiles: ProfileStore
  conversations: ConversationStore
  skillIndex: SkillIndex
}): Role[] {
  const { profiles, conversations, skillIndex } = stores
  return [
    memoryExtractorRole(profiles),
    summarizerRole(conversations),
    recorderRole(conversations),
    learnerRole(skillIndex),
  ]
}
