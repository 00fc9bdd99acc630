import { describe, expect, it } from 'vitest'
import { settled } from '../../testing/manual-clock.ts'
import { Eviction } from './wait-conditions.ts'
import { RunLog } from '../log/run-log.ts'

const owner = { onCommitted: () => undefined, onForeign: () => undefined, onLost: () => undefined }

describe('a run that is about to leave memory', () => {
  /** Returns the final status of the log when `during` runs while the wait is written. */
  async function statusAfter(during: (log: RunLog) => void) {
    const log = new RunLog('r', 1, 0, owner)
    let isWaiting = true
    const departure = new Eviction({
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

  it('stays until the wait is logged without new events in between, because jobs may be about to continue', async () => {
    const log = new RunLog('r', 1, 0, owner)
    const steps: string[] = []
    const flush = async (): Promise<void> => {
      steps.push('written')
      log.status = undefined
      if (steps.length === 1) log.persistedSeq++
    }
    const host = { log, queued: false, nextExpiry: undefined, isWaiting: () => true, flush }
    new Eviction({ ...host, leave: () => void steps.push('left') }).consider()
    await settled()
    expect(steps).toEqual(['written', 'written', 'left'])
  })

  it('is finished when an event in between has ended it', async () => {
    expect(await statusAfter((log) => (log.status = 'finished'))).toBe('finished')
  })
})
