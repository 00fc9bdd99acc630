// Soak test: random requests to every endpoint.
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
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
    expect(report.told.trim()).toBe('Stopping. Unfinished runs continue at the next start.')
  })
})
