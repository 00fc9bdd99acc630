import type { ApprovalPolicy } from '../../engine/run/live-run.ts'

/** The tool behind changing requests of `ctx.http`: one name for requests to any host. */
const CHANGE = 'http_change'
const ALLOWED_CHANGE =
  /^http_change:(POST|PUT|PATCH|DELETE|OPTIONS) (http:\/\/)?([a-z0-9_.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i

/** The problem of an entry of `approvals.allow`; undefined for a valid one. */
export function allowProblem(entry: string): string | undefined {
  if (!entry.startsWith(CHANGE) || ALLOWED_CHANGE.test(entry)) return undefined
  return `must name method and host of the requests to allow, such as "${CHANGE}:POST api.example.com"`
}

/** The operator's settings for calls that need approval. */
export function approvalPolicy(
  settings: { readonly allow: readonly string[]; readonly timeoutMs?: number | undefined },
  egress: { readonly allow: readonly string[] },
): Partial<ApprovalPolicy> {
  const allowed = new Set(settings.allow.map(keyOf))
  return {
    allowsWithoutApproval(tool, input) {
      const key = tool === CHANGE ? keyOfChange(input) : tool
      return key !== undefined && allowed.has(key)
    },
    allowsDestination: (destination) => egress.allow.includes(destination),
    ...(settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }),
  }
}

/** An entry means https unless it begins with `http://`. */
function keyOf(entry: string): string {
  const [whole, method, clear, host, port] = ALLOWED_CHANGE.exec(entry) ?? []
  return whole === undefined ? entry : keyOfParts(method!, clear === undefined ? 'https:' : 'http:', host!, port ?? '')
}

/** Undefined if no entry can match: for a name and password in the address, and for other protocols. */
function keyOfChange(input: unknown): string | undefined {
  const { method, url } = input as { readonly method: string; readonly url: string }
  const { protocol, hostname, port, username, password } = new URL(url)
  if (username !== '' || password !== '' || !/^https?:$/.test(protocol)) return undefined
  return keyOfParts(method, protocol, hostname, port)
}

function keyOfParts(method: string, protocol: string, host: string, port: string): string {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return `${CHANGE}:${method} ${protocol}//${host}:${number}`.toLowerCase()
}
