import type { Role } from '../../core/actor.ts'
import type { ConversationStore } from '../../core/conversation.ts'
import type { ProfileStore } from '../../core/memory.ts'
import type { SkillShelf } from '../../memory/skills/tools.ts'
import { learnerRole } from './learner.ts'
import { memoryExtractorRole } from './memory-extractor.ts'
import { recorderRole } from './recorder.ts'
import { summarizerRole } from './summarizer.ts'

/** The roles of runs with memory; the strategy `remembering` says when they have something to do. */
export function memoryRoles(stores: {
  profiles: ProfileStore
  conversations: ConversationStore
  shelf: SkillShelf
}): Role[] {
  const { profiles, conversations, shelf } = stores
  return [memoryExtractorRole(profiles), summarizerRole(conversations), recorderRole(conversations), learnerRole(shelf)]
}
