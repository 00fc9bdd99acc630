import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TuttiError, toTuttiError, categoryOf, type ErrorCategory, type ErrorCode } from '../core/errors.ts'
import { escapeHtml } from '../core/escape-html.ts'

export interface HealthServerOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly status: ServerStatus
  /** Rejects when runs cannot be kept at the moment. */
  readonly probe: () => Promise<void>
}

export interface HealthServer {
  readonly url: string
  /** Ends open connections, too. */
  close(): Promise<void>
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/**
 * Serves `/healthz` (JSON; 503 when storage does not answer) and a page at `/`.
 * @throws TuttiError `ConfigurationError` when the address cannot be used
 */
export async function startHealthServer({ host, port, status, probe }: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    respond(request, response, status, probe).catch(() => response.destroy())
  })
  await listen(server, port, host)
  const { address, port: actual, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  status: ServerStatus,
  probe: () => Promise<void>,
): Promise<void> {
  const send = (code: number, type: string, body: string, more: Record<string, string> = {}): void => {
    response.writeHead(code, { ...HEADERS, 'content-type': `${type}; charset=utf-8`, ...more })
    response.end(method === 'HEAD' ? undefined : body)
  }
  const sendJson = (code: number, body: unknown): void => send(code, 'application/json', `${JSON.stringify(body)}\n`)
  if (method !== 'GET' && method !== 'HEAD') {
    return send(405, 'text/plain', 'Only GET is served here.\n', { allow: 'GET, HEAD' })
  }
  const path = (url ?? '/').split('?', 1)[0]
  if (path === '/') return send(200, 'text/html', statusPage(status))
  if (path !== '/healthz') return send(404, 'text/plain', 'There is nothing here. See / and /healthz.\n')
  try {
    await probe()
    sendJson(200, { status: 'ok', version: status.version, model: status.model ?? null })
  } catch (thrown) {
    // The reason may name hosts and paths; it is for the operator's log, not for whoever asks.
    sendJson(httpStatusOfError(toTuttiError(thrown).code), { status: 'unavailable', version: status.version })
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)))
    server.listen(port, host, resolve)
  })
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): TuttiError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use already; choose another with --port.`,
    EACCES: `Port ${port} may not be opened by this user; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another with --host.`,
    ENOTFOUND: `The host "${host}" is not known; choose another with --host.`,
  }
  const message = reasons[error.code ?? ''] ?? `The server cannot listen on ${host}:${port}: ${error.message}.`
  return new TuttiError('ConfigurationError', message, { cause: error })
}

const OF_CATEGORY: Readonly<Record<ErrorCategory, number>> = { user: 400, system: 500, provider: 502 }

/** Codes that HTTP has a closer word for. */
const CLOSER: Readonly<Partial<Record<ErrorCode, number>>> = {
  ApprovalDenied: 403,
  QueryBlocked: 403,
  SandboxViolation: 403,
  RunNotFound: 404,
  ArtifactNotFound: 404,
  ApprovalExpired: 409,
  ApprovalNotPending: 409,
  ApprovalTimedOut: 409,
  Cancelled: 409,
  RunConflict: 409,
  PlanningDeclined: 422,
  BudgetExceeded: 429,
  ModelUnavailable: 503,
  RunLost: 503,
  StorageError: 503,
  Timeout: 504,
}

/** The status that a request is answered with when it ends with an error of this code. */
export function httpStatusOfError(code: ErrorCode): number {
  return CLOSER[code] ?? OF_CATEGORY[categoryOf(code)]
}

/** What the server says of itself. */
interface ServerStatus {
  readonly version: string
  readonly storage: string
  /** `provider:model`; absent when answers are made without a model. */
  readonly model?: string
  readonly agents: readonly string[]
  /** Commands to try, ready to be copied. */
  readonly commands: readonly string[]
}

/** The page at `/`: plain HTML without scripts or anything from elsewhere. */
export function statusPage({ version, storage, model, agents, commands }: ServerStatus): string {
  const rows = [
    ['Version', version],
    ['Runs are kept in', storage],
    ['Model', model ?? 'none configured; answers are made by rules'],
    ['Agents', agents.join(', ')],
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tutti</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
th { text-align: left; padding-right: 2rem; vertical-align: top }
pre { overflow-x: auto; padding: 1rem; border: 1px solid; border-radius: .5rem }
</style>
</head>
<body>
<main>
<h1>Tutti</h1>
<p>A self-hosted multi-agent assistant. It plans, lets specialist agents work, and answers with its sources.</p>
<table>
${rows.map(([name, value]) => `<tr><th scope="row">${escapeHtml(name!)}</th><td>${escapeHtml(value!)}</td></tr>`).join('\n')}
</table>
<p>This version is used from the command line; the web app comes with a later one. Try:</p>
<pre><code>${escapeHtml(commands.join('\n'))}</code></pre>
<p><a href="/healthz">Health</a></p>
</main>
</body>
</html>
`
}
