import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/**
 * Who may use an endpoint: `public`, or the least role and the scope that a key needs. Whoever adds an endpoint adds a row.
 * The statuses that follow are tried out for everybody.
 */
const ACCESS: Readonly<Record<string, string>> = {
  'GET /': 'public',
  'GET /health': 'public',
  'GET /healthz': 'public',
  'GET /ready': 'public',
  'GET /openapi.json': 'public',
  'GET /metrics': 'admin read',
  'GET /about': 'viewer read',
  'POST /query': 'member ask',
  'POST /query/stream': 'member ask',
  'GET /runs': 'viewer read',
  'POST /runs': 'member ask',
  'GET /runs/compare': 'viewer read',
  'GET /runs/:runId': 'viewer read',
  'GET /runs/:runId/events': 'viewer read',
  'GET /runs/:runId/plan': 'viewer read',
  'PUT /runs/:runId/plan': 'member ask',
  'POST /runs/:runId/cancel': 'member ask',
  'POST /runs/:runId/fork': 'member ask',
  'POST /runs/:runId/retry': 'member ask',
  'DELETE /runs/:runId': 'member ask',
  'POST /runs/:runId/feedback': 'member ask',
  'GET /runs/:runId/feedback': 'viewer read',
  'GET /runs/:runId/case': 'viewer read',
  'POST /runs/:runId/verified': 'member documents',
  'GET /feedback': 'admin admin',
  'GET /approvals': 'viewer read',
  'GET /approvals/:approvalId': 'viewer read',
  'POST /approvals/:approvalId/decide': 'member decide',
  'POST /hitl/respond': 'member decide',
  'POST /attachments': 'member ask',
  'DELETE /attachments/:documents/:documentId': 'member ask',
  'GET /conversations': 'viewer read',
  'GET /conversations/:conversationId': 'viewer read',
  'PATCH /conversations/:conversationId': 'member ask',
  'DELETE /conversations/:conversationId': 'member ask',
  'GET /conversations/:conversationId/export': 'viewer read',
  'POST /conversations/:conversationId/branches': 'member ask',
  'POST /conversations/:conversationId/shares': 'member ask',
  'GET /conversations/:conversationId/shares': 'viewer read',
  'DELETE /conversations/:conversationId/shares/:shareId': 'member ask',
  'GET /shared/:token': 'public',
  'GET /usage': 'viewer read',
  'GET /usage/all': 'admin admin',
  'GET /schedules': 'viewer read',
  'POST /schedules': 'member ask',
  'GET /schedules/:scheduleId': 'viewer read',
  'PATCH /schedules/:scheduleId': 'member ask',
  'POST /schedules/:scheduleId/run': 'member ask',
  'DELETE /schedules/:scheduleId': 'member ask',
  'POST /hooks/:hookId': 'public',
  'POST /upload': 'member documents',
  'GET /documents': 'viewer read',
  'GET /documents/search': 'viewer read',
  'GET /documents/:documentId': 'viewer read',
  'GET /documents/:documentId/passage': 'viewer read',
  'POST /documents/:documentId/read': 'member documents',
  'DELETE /documents/:documentId': 'member documents',
  'GET /memory': 'viewer read',
  'GET /memory/history': 'viewer read',
  'PUT /memory/:field': 'member ask',
  'DELETE /memory/:field': 'member ask',
  'DELETE /memory': 'member ask',
  'GET /agents': 'viewer read',
  'GET /strategies': 'viewer read',
  'GET /sources': 'viewer read',
  'GET /settings': 'admin admin',
  'GET /databases': 'admin admin',
  'GET /databases/:database/tables': 'admin admin',
  'GET /databases/:database/tables/:table/rows': 'admin admin',
  'GET /databases/:database/terms': 'admin admin',
  'POST /databases/:database/query': 'admin admin',
  'GET /skills': 'viewer read',
  'PATCH /skills/:skillId': 'member ask',
  'DELETE /skills/:skillId': 'member ask',
  'GET /teams': 'viewer read',
  'POST /teams': 'member ask',
  'GET /teams/:team': 'viewer read',
  'POST /teams/:team/use': 'member ask',
  'POST /teams/:team/runs': 'member ask',
  'GET /servers': 'admin admin',
  'POST /servers/:name/accept': 'admin admin',
  'GET /runs/usage': 'viewer read',
  'GET /executions': 'viewer read',
  'GET /v1/models': 'viewer read',
  'GET /v1/models/:model': 'viewer read',
  'POST /v1/chat/completions': 'member ask',
  'POST /v1/responses': 'member ask',
  'GET /v1/responses/:id': 'viewer read',
  'POST /v1/responses/:id/cancel': 'member ask',
  'GET /mcp': 'viewer read',
  'POST /mcp': 'viewer read',
  'DELETE /mcp': 'viewer read',
  'POST /session/register': 'public',
  'POST /session': 'public',
  'DELETE /session': 'public',
  'GET /session': 'public',
  'POST /session/reset': 'public',
  'GET /session/all': 'viewer admin',
  'DELETE /session/all/:sessionId': 'viewer admin',
  'PUT /session/password': 'viewer admin',
  'POST /session/second-factor': 'viewer admin',
  'POST /session/second-factor/confirm': 'viewer admin',
  'DELETE /session/second-factor': 'viewer admin',
  'GET /keys': 'viewer admin',
  'POST /keys': 'viewer admin',
  'DELETE /keys/:keyId': 'viewer admin',
  'GET /limits': 'viewer read',
  'GET /limits/all': 'admin admin',
  'PUT /limits': 'admin admin',
  'GET /people': 'admin admin',
  'POST /people': 'admin admin',
  'POST /people/invitations': 'admin admin',
  'PATCH /people/:userId': 'admin admin',
  'POST /people/:userId/reset': 'admin admin',
  'DELETE /people/:userId': 'admin admin',
  'GET /people/:userId/export': 'admin admin',
  'POST /session/erase': 'viewer admin',
  'POST /session/export': 'viewer admin',
  'GET /audit': 'admin admin',
  'GET /groups': 'admin admin',
  'POST /groups': 'admin admin',
  'DELETE /groups/:groupId': 'admin admin',
  'GET /groups/:groupId/members': 'admin admin',
  'PUT /groups/:groupId/members/:userId': 'admin admin',
  'DELETE /groups/:groupId/members/:userId': 'admin admin',
  'GET /grants': 'admin admin',
  'PUT /grants': 'admin admin',
}

const ROLE_OF: Readonly<Record<string, number>> = { vera: 0, ada: 1, ben: 1, root: 2 }
const ROLES = ['viewer', 'member', 'admin']

let world: HttpWorld
beforeAll(async () => void (world = await startHttpWorld()))
afterAll(() => world.close())

describe('access', () => {
  it('has a row for each endpoint, and no row without one', () => {
    expect(world.routes.toSorted()).toEqual(Object.keys(ACCESS).toSorted())
  })

  it.each(Object.entries(ACCESS))('%s is for %s', async (endpoint, access) => {
    const [method, pattern] = endpoint.split(' ') as [string, string]
    const path = pattern.replaceAll(/:\w+/g, 'nothing')
    const [role, scope] = access.split(' ')
    const people = [null, ...Object.keys(ROLE_OF), 'key-read', 'key-ask', 'key-decide', 'key-documents', 'key-admin']
    const seen: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const as of people) {
      const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
      const response = await world.fetch(path, { as, ...json, method })
      await response.body?.cancel()
      const { status } = response
      seen[as ?? 'nobody'] = status === 401 ? 'not signed in' : status === 403 ? 'not allowed' : 'let in'
      const isAllowed =
        as !== null && (as.startsWith('key-') ? as === `key-${scope}` : ROLE_OF[as]! >= ROLES.indexOf(role ?? ''))
      expected[as ?? 'nobody'] =
        access === 'public' || isAllowed ? 'let in' : as === null ? 'not signed in' : 'not allowed'
      expect(status, `${endpoint} as ${as}`).toBeLessThan(500)
    }
    expect(seen).toEqual(expected)
  })
})
