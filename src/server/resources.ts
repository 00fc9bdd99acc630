import { conversations } from './conversations/conversations.ts'
import { health } from './health/health.ts'
import type { ServerStatus } from './health/page.ts'
import type { Resource } from './parts.ts'
import { FORMATS } from './protocols/formats.ts'
import { mcp } from './protocols/mcp/mcp.ts'
import { openAi } from './protocols/openai/routes.ts'
import { approvals } from './approvals/approvals.ts'
import { query } from './query/query.ts'
import { runs } from './runs/runs.ts'

/** All that `tutti serve` serves. */
export function resources(status: ServerStatus): readonly Resource[] {
  return [health(status), query(FORMATS), runs, approvals, conversations, openAi, mcp(status.version)]
}
