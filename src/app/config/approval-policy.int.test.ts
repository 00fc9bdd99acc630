import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from '../../../test/support/api-server.ts'
import { createApp, defineAgent, TuttiError } from '../../index.ts'
import { allowProblem, approvalPolicy } from './approval-policy.ts'

let server: ApiServer
beforeEach(async () => {
  server = await startApiServer()
})
afterEach(() => server.close())

const sender = (method: string) =>
  defineAgent({
    name: 'sender',
    description: 'Sends orders.',
    capabilities: [],
    useCases: [],
    keywords: ['send'],
    run: async (_task, ctx) => {
      const { status } = await ctx.http({ method, url: `${server.url}/orders/1`, body: '{}' })
      return { answer: `Status ${status}` }
    },
  })

it.each([
  ['PUT', ['http_change:PUT http://HOST'], true],
  ['put', ['http_change:put http://HOST'], true],
  ['DELETE', ['http_change:PUT http://HOST'], false],
  ['PUT', ['http_change:PUT HOST'], false],
  ['PUT', ['http_change:PUT other.example', 'http_change:PUT http://127.0.0.1', 'send_to_api', 'sender'], false],
])('%s is sent without approval with %j: %s', async (method, allow, isSent) => {
  const app = await createApp({
    agents: [sender(method)],
    allowHosts: [server.host],
    config: { approvals: { allow: allow.map((entry) => entry.replace('HOST', server.host)) } },
  })
  const { agentResults } = await app.ask({ question: 'Send it', interactive: false })
  expect(server.requests.map((request) => request.method)).toEqual(isSent ? [method.toUpperCase()] : [])
  expect(agentResults[0]?.error?.type).toBe(isSent ? undefined : 'ApprovalDenied')
  await app.close()
})

it.each(['http_change', 'http_change:POST', 'http_change:GET api.example.com', 'http_change:POST https://a.example/x'])(
  '%j allows too much, and is refused',
  async (entry) => {
    const failed = await createApp({ config: { approvals: { allow: [entry] } } }).catch((thrown: unknown) => thrown)
    expect(failed).toBeInstanceOf(TuttiError)
    expect((failed as TuttiError).message).toMatch(
      /config\.approvals\.allow\.0: must name method and host .*"http_change:POST api\.example\.com"\.$/,
    )
  },
)

it('an entry means https, or http where it names that scheme, with the scheme’s default port', () => {
  const allow = ['http_change:POST a.example', 'http_change:POST http://[::1]', 'http_change:POST b.example:80']
  const { allowsWithoutApproval } = approvalPolicy({ allow }, { allow: [] })
  const isAllowed = (url: string): boolean => allowsWithoutApproval!('http_change', { method: 'POST', url })
  for (const url of ['https://a.example/x', 'https://A.example:443/', 'http://[::1]/', 'https://b.example:80/'])
    expect([url, isAllowed(url)]).toEqual([url, true])
  for (const url of [
    'http://a.example/',
    'http://a.example:443/',
    'https://a.example:80/',
    'https://a.example:8443/',
    'https://b.a.example/',
    'https://a.example.evil/',
    'https://a.example:0/',
    'https://[::1]/',
    'https://[::1]:80/',
    'http://b.example/',
    'http://b.example:80/',
    'https://me@a.example/',
    'https://me:secret@a.example/',
    'ftp://a.example:443/',
  ])
    expect([url, isAllowed(url)]).toEqual([url, false])
  expect(allowProblem('send_email')).toBeUndefined()
})
