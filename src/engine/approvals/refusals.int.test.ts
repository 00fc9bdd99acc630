import { expect, it } from 'vitest'
import { responseOf } from '../../domain/response.ts'
import { agent, openWorld, task, textTool } from '../../../test/support/engine-world.ts'
import { describeStores } from '../../../test/support/stores.ts'
import { ALLOWED, answering, GRAPH, team } from '../../../test/support/test-agents.ts'

function sender() {
  const sent: string[] = []
  const tool = textTool('send_email', 'irreversible', async (text: string) => void sent.push(text))
  const mailer = agent('mailer', async (_task, ctx) => {
    await ctx.call(tool, 'to bob')
    return { answer: 'sent' }
  })
  return { sent, tool, mailer }
}

describeStores('a refusal', (store) => {
  it('gives dependent jobs the reason and the tools; others continue', async () => {
    const { mailer, sent } = sender()
    const after = agent('after', async (given) => ({ answer: JSON.stringify(given.inputs()[0]!.result.partial) }))
    const { start, decide, end } = openWorld(store(), [mailer, after, answering('beside')], GRAPH)
    const plan = [task('mailer'), task('after', 'after', { dependsOn: ['mailer'] }), task('beside')]
    const runId = await start(plan, { strategy: 'graph' })
    await decide(runId, 'denied', 'ask me first')
    const { jobs } = await end(runId)
    const partial = { reason: 'denied_by_user', tools: ['send_email'] }
    expect(jobs.get('mailer')?.result).toMatchObject({
      status: 'failed',
      partial,
      error: { type: 'ApprovalDenied', message: 'ann denied sending this mail: ask me first.' },
    })
    expect(JSON.parse(jobs.get('after')!.result!.answer!)).toEqual(partial)
    expect(jobs.get('beside')?.result?.answer).toBe('beside')
    expect(sent).toEqual([])
  })

  it('does not replace the agent’s own partial result', async () => {
    const { tool } = sender()
    const partial = { draft: 'Dear Bob' }
    const careful = agent('careful', async (_task, ctx) => {
      const isSent = await ctx.call(tool, 'x').catch(() => false)
      return isSent === false ? { status: 'failed', partial } : {}
    })
    const { start, decide, end } = openWorld(store(), [careful])
    const runId = await start(['careful'])
    await decide(runId, 'denied')
    expect((await end(runId)).jobs.get('careful')?.result?.partial).toEqual(partial)
  })
})

describeStores('a request without a user to ask', (store) => {
  const unwatched = { interactive: false } as const

  it('asks nobody: the call fails at once, the others continue, and the response names the reason', async () => {
    const { mailer, sent } = sender()
    const { engine, clock, start } = openWorld(store(), [mailer, answering('other')])
    const before = clock.now()
    const runId = await start(['mailer', 'other'], unwatched)
    const state = await engine.outcome(runId) // no time passes
    expect(clock.now()).toBe(before)
    expect(state.answer?.text).toBe('mailer=failed:ApprovalDenied other=succeeded:other')
    expect(state.jobs.get('mailer')?.result).toMatchObject({
      partial: { reason: 'hitl_skipped_non_streaming', tools: ['send_email'] },
      error: { details: { reason: 'hitl_skipped_non_streaming' } },
    })
    const { metadata } = responseOf(await engine.events(runId))
    expect(metadata.notes.join()).toContain('Ask again where a person can decide.')
    expect(await store().approvals({ runId })).toEqual([])
    expect(sent).toEqual([])
  })

  it('still makes calls that the settings allow', async () => {
    const { mailer, sent } = sender()
    const { run } = openWorld(store(), [mailer], { approvals: ALLOWED })
    expect((await run(['mailer'], unwatched)).answer?.text).toContain('succeeded')
    expect(sent).toEqual(['to bob'])
  })

  it('passes this setting on to nested runs', async () => {
    const { mailer, sent } = sender()
    const { run } = openWorld(store(), [mailer, team(['mailer'])])
    const state = await run(['team'], unwatched)
    expect(state.jobs.get('team')?.result?.answer).toBe('finished(mailer=failed:ApprovalDenied)')
    expect(sent).toEqual([])
  })
})
