// Soak test: waits for the sweeps of a server.
import { describe, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const DAY_MS = 86_400_000
const NOTE = Buffer.from('# Rules\n\nIt rains on 28 days.\n')

const clock = new ManualClock(Date.UTC(2026, 0, 1))
const world = openForAll(() => startHttpWorld({ clock, config: { retention: { uploadDays: 30 } } as never }))

const told = () => world.json<Operations['GET /retention']['answer']>('/retention', { as: 'root' })
const due = (query: string) =>
  world.json<Operations['GET /retention/due']['answer']>(`/retention/due?${query}`, { as: 'root' })

describe('retention over HTTP', () => {
  it('returns each retention period with its setting, deleted data, and data due for other periods', async () => {
    const { kept, swept, nextAt } = await told()
    expect(kept).toEqual(
      expect.arrayContaining([
        { kind: 'uploads', days: 30, setting: 'retention.uploadDays' },
        { kind: 'runs', setting: 'retention.runDays' },
        { kind: 'invitations', days: 7 },
        { kind: 'audit' },
      ]),
    )
    expect([swept, nextAt]).toEqual([[], undefined])
    await world.app.knowledge.ingest.add('local', { name: 'old.md', bytes: NOTE })
    await clock.advance(20 * DAY_MS)
    await world.app.knowledge.ingest.add('local', { name: 'young.md', bytes: Buffer.from(`${NOTE.toString()} Or 29.`) })
    await clock.advance(11 * DAY_MS)
    expect(await due('uploadDays=30')).toEqual({ runs: 0, conversations: 0, uploads: 1, waiting: 0, isCut: false })
    expect(await due('uploadDays=10')).toMatchObject({ uploads: 2 })
    expect(await due('runDays=1')).toMatchObject({ uploads: 0 })
    await world.app.retention.sweep()
    const at = new Date(clock.now()).toISOString()
    expect(await told()).toMatchObject({
      swept: [{ at, runs: 0, conversations: 0, uploads: 1, waiting: 0 }],
      nextAt: new Date(clock.now() + 3_600_000).toISOString(),
    })
    expect((await world.fetch('/retention/due?uploadDays=0', { as: 'root' })).status).toBe(400)
  })
})
