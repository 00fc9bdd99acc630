import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_API_KEY, startDemoApi, type DemoApi } from '../../src/demo/api/server.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { createCliWorld, type CliWorld, type Running } from './support.ts'

let world: CliWorld
let demo: DemoApi
beforeAll(async () => {
  world = await createCliWorld()
  const databasePath = join(world.folder, 'brindlemoor.sqlite')
  await createDemoDatabase(databasePath)
  demo = await startDemoApi({ databasePath, port: 0 })
})
afterAll(async () => {
  await demo.close()
  await world.close()
})

const env = { TUTTI_API_KEY: DEMO_API_KEY }
const ask = (question: string): string[] => ['ask', question, '--api', `${demo.url}/openapi.json`, '--disable', 'rag']

async function statusOf(order: number): Promise<unknown> {
  const response = await fetch(`${demo.url}/orders/${order}`, { headers: { 'x-api-key': DEMO_API_KEY } })
  return ((await response.json()) as Record<string, unknown>)['status']
}

/** The id of the approval that a command waits for. */
async function waitsFor(running: Running): Promise<string> {
  return /tutti approvals approve (\S+)/.exec(await running.said('Decide with:'))![1]!
}

const listed = async (...more: string[]) =>
  (JSON.parse((await world.run(['approvals', 'list', '--json', ...more])).out) as { approvals: object[] }).approvals

describe('tutti approvals', () => {
  it('lists pending approvals with payload and origin, and decides them', async () => {
    expect(await world.run(['approvals', 'list'])).toMatchObject({
      code: 0,
      out: '',
      err: 'No calls wait for approval.\n',
    })
    const running = world.start(ask('POST /orders/915/cancel'), { env })
    const id = await waitsFor(running)
    const runId = id.split('.')[0]!
    expect(await listed()).toEqual(await listed('--run', runId.slice(0, 8)))
    expect(await listed()).toMatchObject([
      {
        approvalId: id,
        runId,
        tool: 'send_to_api',
        status: 'pending',
        payload: { method: 'POST', url: `${demo.url}/orders/915/cancel` },
        provenance: { author: expect.any(String) as string },
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ])
    const { out, err } = await world.run(['approvals', 'list'])
    expect(out).toContain(`"url": "${demo.url}/orders/915/cancel"`)
    expect(out).toContain(`tutti approvals approve ${id}`)
    expect(out + err).not.toContain(DEMO_API_KEY)
    expect(await world.run(['approvals', 'list', '--run', 'ffff'])).toMatchObject({ code: 2 })

    const denied = await world.run(['approvals', 'deny', id, '--instructions', 'ask Ada first'], { env })
    expect(denied.code).toBe(5)
    expect(denied.out).toMatch(/denied.*ask Ada first/)
    expect(denied.err + denied.out).toContain('You denied')
    await running.done
    expect(await statusOf(915)).toBe('open')
    expect(await listed()).toEqual([])
    expect((await world.run(['approvals', 'approve', id], { env })).code).toBe(2)
  })

  it('makes no call that was approved with instructions when no model can read them', async () => {
    const running = world.start(ask('POST /orders/909/cancel'), { env })
    const id = await waitsFor(running)
    const approving = world.start(['approvals', 'approve', id, '--instructions', 'cancel order 947 instead'], { env })
    const { code, out, err } = await approving.done
    expect(code).toBe(5)
    expect(err).toContain('cancel order 947 instead')
    expect(out).toMatch(/not clear: .*“947”/)
    await running.done
    expect([await statusOf(909), await statusOf(947)]).toEqual(['open', 'open'])
  })
})

describe('ask --no-approvals', () => {
  it('does not wait, makes no call, and reports the refusal', async () => {
    const { code, out, err } = await world.run([...ask('POST /orders/884/cancel'), '--no-approvals'], { env })
    expect(code).toBe(5)
    expect(out).toContain('nobody can be asked during this request. Ask again where a person can decide.')
    expect(err).not.toContain('Approval needed')
    expect(await statusOf(884)).toBe('open')
    expect(await listed()).toEqual([])
  })
})
