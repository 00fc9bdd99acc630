import { groups } from './groups/groups.ts'
import { keys } from './keys/keys.ts'
import { limits } from './limits/limits.ts'
import { people } from './people/people.ts'
import { session } from './session/session.ts'
import { conversations } from './conversations/conversations.ts'
import { health } from './health/health.ts'
import type { ServerStatus } from './health/page.ts'
import type { Resource } from './parts.ts'
import { approvals } from './approvals/approvals.ts'
import { query } from './query/query.ts'
import { runs } from './runs/runs.ts'

/** All that `tutti serve` serves. */
export function resources(status: ServerStatus): readonly Resource[] {
  return [health(status), query(), runs, approvals, conversations, session, people, groups, keys, limits]
}
