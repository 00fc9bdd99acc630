import { expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => startHttpWorld({ config: { retention: { uploadDays: 30 } } as never }))

it('returns each retention period with its setting', async () => {
  const { kept } = await world.json<Operations['GET /retention']['answer']>('/retention', { as: 'root' })
  expect(kept).toEqual(
    expect.arrayContaining([
      { kind: 'uploads', days: 30, setting: 'retention.uploadDays' },
      { kind: 'runs', setting: 'retention.runDays' },
      { kind: 'audit' },
    ]),
  )
})
