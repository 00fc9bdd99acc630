import { truncate } from '../../shared/json.ts'
import { onOneLine } from '../../domain/prompt-text.ts'
import type { Api } from './open.ts'
import type { Endpoint } from './catalogue/types.ts'

/** Of the endpoints of one API: some 2,000 tokens. */
const MAX_ENDPOINTS_CHARS = 8_000
const MAX_DESCRIPTION = 300

const RULES = `## APIs
find_endpoints shows what endpoints take and return, also for questions about an API itself. send_to_api makes a change that the user asked for.
Take values from the user's words, the context or results, and use filters and limits rather than reading everything.`

/** Instructions about the APIs' contents and tools. */
export function apiInstructions(apis: readonly Api[]): string {
  return [RULES, ...apis.map(sectionOf)].join('\n\n')
}

function sectionOf({ catalogue, baseUrl }: Api): string {
  const { name, description, servers, endpoints } = catalogue
  const server = baseUrl ?? servers[0]
  const summary = truncate(onOneLine(description), MAX_DESCRIPTION)
  const all = endpointsIn(endpoints)
  return [
    `### ${name}${server === undefined ? '' : ` (${server})`}`,
    ...(summary === '' ? [] : [summary]),
    all.length <= MAX_ENDPOINTS_CHARS ? all : groupsOf(endpoints),
  ].join('\n')
}

/** One a line. */
function endpointsIn(endpoints: readonly Endpoint[]): string {
  return endpoints
    .map(({ method, path, summary }) => `${method} ${path}${summary === '' ? '' : ` — ${onOneLine(summary)}`}`)
    .join('\n')
}

/** Endpoints by their tag, else by the beginning of their path, the largest groups first. */
function groupsOf(endpoints: readonly Endpoint[]): string {
  const counts = new Map<string, number>()
  for (const { tags, path } of endpoints) {
    const group = tags[0] ?? `/${path.split('/')[1] ?? ''}`
    counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  const groups = [...counts].sort(([, a], [, b]) => b - a).map(([group, count]) => `${group} (${count})`)
  return `${endpoints.length} endpoints, found by find_endpoints: ${truncate(groups.join(', '), MAX_ENDPOINTS_CHARS)}`
}
