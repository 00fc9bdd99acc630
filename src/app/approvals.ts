import type { ApprovalPolicy } from '../engine/run/live-run.ts'

/** The tool behind `ctx.http` that changes something: one name for any request to anybody. */
const CHANGE = 'http_change'
const ALLOWED_CHANGE = /^http_change:(POST|PUT|PATCH|DELETE|OPTIONS) ([a-z0-9_.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i

/** What is wrong with an entry of `approvals.allow`. */
export function allowProblem(entry: string): string | undefined {
  if (!entry.startsWith(CHANGE) || ALLOWED_CHANGE.test(entry)) return undefined
  return `must name method and host of the requests to allow, such as "${CHANGE}:POST api.example.com"`
}

/** What the operator says of calls that need approval. */
export function approvalPolicy(settings: {
  readonly allow: readonly string[]
  readonly timeoutMs?: number | undefined
}): Partial<ApprovalPolicy> {
  const allowed = new Set(settings.allow.map(keyOf))
  return {
    allowsWithoutApproval: (tool, input) => allowed.has(tool === CHANGE ? keyOfChange(input) : tool),
    ...(settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }),
  }
}

/** Without a port an entry means that of https. */
function keyOf(entry: string): string {
  const [whole, method, host, port = '443'] = ALLOWED_CHANGE.exec(entry) ?? []
  return whole === undefined ? entry : `${CHANGE}:${method} ${host}:${port}`.toLowerCase()
}

function keyOfChange(input: unknown): string {
  const { method, url } = input as { readonly method: string; readonly url: string }
  const { protocol, hostname, port } = new URL(url)
  return `${CHANGE}:${method} ${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`.toLowerCase()
}
