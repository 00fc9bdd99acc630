import { describe, expect, it } from 'vitest'
import { settled } from '../../testing/manual-clock.ts'
import { Departure } from './departure.ts'
import { RunLog } from '../log/run-log.ts'

describe('a run that is about to leave memory', () => {
  /** What the log says in the end when `during` happens while the wait is written. */
  async function statusAfter(during: (log: RunLog) => void) {
    const owner = { onCommitted: () => undefined, onForeign: () => undefined, onLost: () => undefined }
    const log = new RunLog('r', 1, 0, owner)
    let isWaiting = true
    const departure = new Departure({
      log,
      queued: false,
      nextExpiry: undefined,
      isWaiting: () => isWaiting,
      async flush() {
        expect(log.status).toBe('waiting')
        log.status = undefined // written
        isWaiting = false
        during(log)
      },
      leave: () => expect.fail('it must stay'),
    })
    departure.consider()
    await settled()
    return log.status
  }

  it('is running again when it stays', async () => {
    expect(await statusAfter(() => undefined)).toBe('running')
  })

  it('is over for good when what came in between has ended it', async () => {
    expect(await statusAfter((log) => (log.status = 'finished'))).toBe('finished')
  })
})
