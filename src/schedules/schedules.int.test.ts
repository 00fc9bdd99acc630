import { expect, it } from 'vitest'
import { describeStores } from '../../test/support/stores.ts'
import type { Seal } from '../storage/sql/sql-store.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { Schedules } from './schedules.ts'

describeStores('a schedule that is changed', (_store, _kind, storage) => {
  it.each([true, false])('while another request pauses or resumes it (%s) keeps both changes', async (wasPaused) => {
    let beside: (() => Promise<void>) | undefined
    const seal: Seal = {
      async close(text) {
        await beside?.()
        return text
      },
      open: async (text) => text,
    }
    const all = new Schedules(storage().sql, new ManualClock(Date.UTC(2026, 0, 1)), seal)
    const timing = (minute: number) => ({ cron: `${minute} * * * *`, zone: 'UTC' })
    const { schedule } = await all.add('ann', { timing: timing(5), request: { question: 'How many?' } })
    const { scheduleId } = schedule
    await all.pause('ann', scheduleId, wasPaused)
    // Somebody else does so between what the change read and what it writes.
    beside = () => all.pause('ann', scheduleId, !wasPaused)
    await all.edit('ann', scheduleId, { timing: timing(9) })
    const { isPaused, nextAt } = await all.get('ann', scheduleId)
    expect({ isPaused, nextAt }).toEqual({
      isPaused: !wasPaused,
      nextAt: wasPaused ? Date.UTC(2026, 0, 1, 0, 9) : undefined,
    })
  })
})
