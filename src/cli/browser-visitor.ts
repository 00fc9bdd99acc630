import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TuttiError } from '../domain/errors.ts'
import type { Visitor } from '../mcp/tool-list.ts'

const TIMEOUT_MS = 300_000

/**
 * A person who signs in with a browser, which then comes back to a port of this machine (RFC 8252, "Loopback Interface Redirection").
 * @param show tells the person the page of the sign-in
 */
export async function browserVisitor(show: (url: URL) => void): Promise<Visitor & { close(): void }> {
  const codes = new Map<string, string>()
  let wake = (): void => undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const code = searchParams.get('code')
    if (pathname !== '/callback') return void response.writeHead(404).end()
    if (code !== null) codes.set(searchParams.get('state') ?? '', code)
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end(code === null ? 'The sign-in was refused.' : 'You are signed in, and can close this page.')
    wake()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    open: show,
    async code(state) {
      // It may have come back before anybody waits for it.
      if (codes.size === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, TIMEOUT_MS)
          wake = () => (clearTimeout(timer), resolve())
        })
      }
      const code = codes.get(state)
      if (code !== undefined) return code
      throw new TuttiError('ConfigurationError', 'The sign-in timed out. Start again and open the page that is shown.')
    },
    close: () => void server.close(),
  }
}
