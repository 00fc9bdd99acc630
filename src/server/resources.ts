import { groups } from './groups/groups.ts'
import { keys } from './keys/keys.ts'
import { limits } from './limits/limits.ts'
import { people } from './people/people.ts'
import { session } from './session/session.ts'
import { conversations } from './conversations/conversations.ts'
import { databases } from './databases/databases.ts'
import { documents } from './documents/documents.ts'
import { executions } from './executions/executions.ts'
import { health } from './health/health.ts'
import type { ServerStatus } from './health/page.ts'
import { memory } from './memory/memory.ts'
import { metrics } from './metrics/metrics.ts'
import type { Resource } from './parts.ts'
import { FORMATS } from './protocols/formats.ts'
import { mcp } from './protocols/mcp/mcp.ts'
import { openAi } from './protocols/openai/routes.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './approvals/approvals.ts'
import { query } from './query/query.ts'
import { runs } from './runs/runs.ts'

/** All that `tutti serve` serves. */
export function resources(status: ServerStatus): readonly Resource[] {
  return [
    metrics,
    health(status),
    query(FORMATS),
    runs,
    approvals,
    conversations,
    documents,
    memory,
    agents,
    databases,
    executions,
    openAi,
    mcp(status.version),
    session,
    people,
    groups,
    keys,
    limits,
  ]
}
