import { about, type Suggestion } from './about/about.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './approvals/approvals.ts'
import { conversations } from './conversations/conversations.ts'
import { databases } from './databases/databases.ts'
import { documents } from './documents/documents.ts'
import { executions } from './executions/executions.ts'
import { groups } from './groups/groups.ts'
import { health, type ServerStatus } from './health/health.ts'
import { keys } from './keys/keys.ts'
import { limits } from './limits/limits.ts'
import { memory } from './memory/memory.ts'
import { metrics } from './metrics/metrics.ts'
import type { Resource } from './parts.ts'
import { people } from './people/people.ts'
import { FORMATS } from './protocols/formats.ts'
import { mcp } from './protocols/mcp/mcp.ts'
import { openAi } from './protocols/openai/routes.ts'
import { query } from './query/query.ts'
import { runs } from './runs/runs.ts'
import { servers } from './servers/servers.ts'
import { skills } from './skills/skills.ts'
import { teams } from './teams/teams.ts'
import { usage } from './runs/usage.ts'
import { session } from './session/session.ts'

/** All of the HTTP API. */
export function resources(status: ServerStatus, suggestions?: readonly Suggestion[]): readonly Resource[] {
  return [
    metrics,
    health(status),
    about(suggestions),
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
    skills,
    teams,
    servers,
    usage,
  ]
}
