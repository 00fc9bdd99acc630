import { describe, expect, it } from 'vitest'
import { DEMO_API_KEY } from '../../examples/demo-api/server.ts'
import { openForAll } from '../support/opened.ts'
import { createDemoWorld, DEMO_ENV } from './support.ts'

const world = openForAll(createDemoWorld)

const env = DEMO_ENV
const ask = (question: string): string[] => ['ask', question, ...world.api, '--disable', 'rag']

const listed = async (...more: string[]): Promise<object[]> =>
  (await world.json(['approvals', 'list', ...more])).approvals

describe('tutti approvals', () => {
  it('lists pending approvals with payload and origin, and decides them', async () => {
    expect(await world.run(['approvals', 'list'])).toMatchObject({
      code: 0,
      out: '',
      err: 'No calls wait for approval.\n',
    })
    const running = world.begin(ask('POST /orders/915/cancel'), { env })
    const id = await running.approvalId()
    const runId = id.split('.')[0]!
    expect(await listed()).toEqual(await listed('--run', runId.slice(0, 8)))
    expect(await listed()).toMatchObject([
      {
        approvalId: id,
        runId,
        tool: 'send_to_api',
        status: 'pending',
        payload: { method: 'POST', url: `${world.demo.url}/orders/915/cancel` },
        provenance: { author: expect.any(String) as string },
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ])
    const { out, err } = await world.run(['approvals', 'list'])
    expect(out).toContain(`"url": "${world.demo.url}/orders/915/cancel"`)
    expect(out).toContain(`tutti approvals approve ${id}`)
    expect(out + err).not.toContain(DEMO_API_KEY)
    expect(await world.run(['approvals', 'list', '--run', 'ffff'])).toMatchObject({ code: 2 })

    const denied = await world.run(['approvals', 'deny', id, ...world.api, '--instructions', 'ask Ada first'], { env })
    expect(denied.code).toBe(5)
    expect(denied.out).toMatch(/denied.*ask Ada first/)
    expect(denied.err + denied.out).toContain('You denied')
    await running.done
    expect(await world.statusOf(915)).toBe('open')
    expect(await listed()).toEqual([])
    expect((await world.run(['approvals', 'approve', id, ...world.api], { env })).code).toBe(2)
  })

  it('makes no call that was approved with instructions', async () => {
    const running = world.begin(ask('POST /orders/909/cancel'), { env })
    const id = await running.approvalId()
    const { code, out, err } = await world.run(
      ['approvals', 'approve', id, ...world.api, '--instructions', 'cancel order 947 instead'],
      { env },
    )
    expect(code).toBe(1)
    expect(err + out).toContain('because the user gave instructions: cancel order 947 instead')
    await running.done
    expect([await world.statusOf(909), await world.statusOf(947)]).toEqual(['open', 'open'])
  })
})
