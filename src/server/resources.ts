import { about, type Suggestion } from './about/about.ts'
import { approvals } from './approvals/approvals.ts'
import { conversations } from './conversations/conversations.ts'
import { documents } from './documents/documents.ts'
import { health } from './health/health.ts'
import type { ServerStatus } from './health/page.ts'
import type { Resource } from './parts.ts'
import { query } from './query/query.ts'
import { runs } from './runs/runs.ts'
import { hasWebApp, web } from './web/web.ts'

/** All that `tutti serve` serves. */
export function resources(status: ServerStatus, suggestions?: readonly Suggestion[]): readonly Resource[] {
  const all = [health(status), about(suggestions), query(), runs, approvals, conversations, documents]
  return hasWebApp() ? [...all, web] : all
}
