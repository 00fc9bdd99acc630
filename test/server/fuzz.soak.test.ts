// Soak test: random requests to every endpoint.
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
import { wrongWith } from './fuzz/judge.ts'
import type { Fuzzed } from './fuzz/requests.ts'
import { fuzz, type FuzzReport } from './fuzz/fuzz.ts'

const REQUESTS = { SQLite: 400, PostgreSQL: 200 }
const SEED = 12
const postgresUrl = inject('postgresUrl')
const kinds = postgresUrl === '' ? (['SQLite'] as const) : (['SQLite', 'PostgreSQL'] as const)

describe.each(kinds)('requests of all kinds, with runs in %s', (kind) => {
  let report: FuzzReport
  beforeAll(async () => {
    const env = kind === 'PostgreSQL' ? { DATABASE_URL: await createTestDatabase(postgresUrl) } : undefined
    report = await fuzz(SEED, REQUESTS[kind], () => undefined, env)
  }, 300_000)

  it('are answered without server errors, and with errors in the documented form', () => {
    expect(report.failures).toEqual([])
    const answered = Object.values(report.statuses).reduce((sum, count) => sum + count, 0)
    expect(answered).toBe(REQUESTS[kind])
  })

  it('reach the handlers of their endpoints', () => {
    expect(report.done.length).toBeGreaterThan(REQUESTS[kind] / 16)
  })

  it('leave no open file or socket behind', () => {
    const [, middle, last] = report.holding
    expect(last!.handles - middle!.handles).toBeLessThanOrEqual(5)
  })

  it('report nothing to the operator', () => {
    // Its messages at shutdown. With a shared database the first one says that new requests go to other processes.
    const ends = 'Stopping. Unfinished runs continue at the next start.'
    const drains = 'Stopping in 5 seconds. Send new requests to other processes.'
    expect(report.told.trim()).toBe(kind === 'PostgreSQL' ? `${drains}\n${ends}` : ends)
  })
})

describe('faults of an answer', () => {
  const fuzzed: Fuzzed = {
    operation: 'GET /runs',
    kind: 'fitting',
    wire: { method: 'GET', path: '/runs', headers: [] },
  }
  const problem = {
    type: 'urn:tutti:error:NotFound',
    title: 'Not found',
    status: 404,
    detail: 'There is nothing here.',
    code: 'NotFound',
    requestId: 'r',
  }
  const said = (status: number, body: unknown, type = 'application/problem+json') =>
    wrongWith(fuzzed, { status, headers: { 'content-type': type }, text: JSON.stringify(body) }, ['/srv/tutti'])

  it('are empty for a correct answer', () => {
    expect(said(404, problem)).toEqual([])
    expect(said(503, { ...problem, status: 503, code: 'RunLost', type: 'urn:tutti:error:RunLost' })).toEqual([])
    expect(said(404, { ...problem, detail: String.raw`No \ud800.` })).toEqual([])
  })

  it.each([
    [
      'an error of the server',
      () => said(500, { ...problem, status: 500, code: 'Internal', type: 'urn:tutti:error:Internal' }),
    ],
    [
      'that what it keeps runs in is not there',
      () => said(503, { ...problem, status: 503, code: 'StorageError', type: 'urn:tutti:error:StorageError' }),
    ],
    ['half of a character', () => said(404, { ...problem, detail: 'No \ud800.' })],
    ['another status than it says', () => said(400, problem)],
    ['no problem details', () => said(404, { error: 'Not found' })],
    ['a code that there is none of', () => said(404, { ...problem, code: 'Nothing' })],
    ['another form', () => said(404, { message: 'x' }, 'application/json')],
    ['a place on the machine', () => said(404, { ...problem, detail: 'No /srv/tutti/runs.' })],
    [
      'a stack',
      () =>
        said(404, { ...problem, detail: 'x' }).concat(
          wrongWith(fuzzed, { status: 200, headers: {}, text: 'x\n    at y' }, []),
        ),
    ],
    ['no answer at all', () => wrongWith(fuzzed, { status: 0, headers: {}, text: '' }, [])],
  ])('are found: %s', (_what, judge) => {
    expect(judge()).toHaveLength(1)
  })
})
