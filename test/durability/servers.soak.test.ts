// Soak test: kills API processes and workers for a minute.
import { expect, inject, it } from 'vitest'
import { soakServers } from './servers.ts'
import { testSeed } from '../support/seed.ts'

const SEED = testSeed()

it.skipIf(inject('postgresUrl') === '')(
  'two API processes and two workers, each killed: no accepted run is lost, no stream has a gap or a duplicate, each approval is applied once',
  async () => {
    const tally = await soakServers(inject('postgresUrl'), SEED)
    expect(tally.faults, `seed ${SEED}`).toEqual([])
    expect(tally.kills).toBeGreaterThanOrEqual(4)
    expect(tally.runs).toBeGreaterThan(2)
  },
  300_000,
)
