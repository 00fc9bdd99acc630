import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { DeletionCounts } from '../../src/app/retention.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import { describeAppStorages, type AppStorage } from '../support/app-storage.ts'
import { agent } from '../support/engine-world.ts'
import { letterTool } from '../support/letters.ts'
import { openForEach } from '../support/opened.ts'

const DAY_MS = 86_400_000
const clerk = agent(
  'clerk',
  async ({ text }, ctx) => {
    if (text?.includes('pigeon') === true) await ctx.call(letterTool(), { to: 'Kim' })
    const { id } = await ctx.artifacts.keep({ name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('kept') })
    return { answer: id }
  },
  { keywords: ['pigeon', 'chart'] },
)

describeAppStorages('old data', oldData, openForEach)

function oldData(place: AppStorage): void {
  let clock: ManualClock
  let app: App
  beforeEach(() => {
    clock = new ManualClock(Date.UTC(2026, 0, 1))
  })
  afterEach(() => app?.close())

  const sweep = (): Promise<DeletionCounts> => app.retention.sweep()
  const open = async (retention: Record<string, number>): Promise<App> => {
    const approvals = { timeoutMs: 400 * DAY_MS }
    app = await createApp({ storage: place.storage, clock, agents: [clerk], config: { retention, approvals } as never })
    return app
  }
  const begin = async (question: string): Promise<[run: string, conversation: string]> => {
    const runId = await app.start({ question, strategy: 'pipeline' })
    for await (const item of app.runs.stream(runId)) if (item.type === 'approval.requested') break
    const { conversationId: made } = (await app.runs.state(runId)).request
    return [runId, made!]
  }
  const kept = async () => ({
    runs: (await app.runs.runs()).map(({ runId }) => runId).toSorted(),
    conversations: (await app.conversations.list('local')).map(({ conversationId }) => conversationId).toSorted(),
    documents: (await app.knowledge.store.documents('local')).map(({ name }) => name).toSorted(),
  })

  it('is deleted after its period, except runs that wait, pinned conversations, and named files', async () => {
    await open({ runDays: 30, conversationDays: 60, uploadDays: 90 })
    const [old, oldTalk] = await begin('A chart')
    const [waiting, waitingTalk] = await begin('A pigeon')
    const [inPinned, pinnedTalk] = await begin('Another chart')
    await app.conversations.change('local', pinnedTalk, { pinnedAt: 1 })
    const text = ['It rains on 28 days.']
    const addedAt = clock.now()
    await app.knowledge.store.put('local', documentOf('sent.md', text, { addedAt }))
    await app.knowledge.store.put('local', documentOf('here.md', text, { addedAt, path: '/srv/here.md' }))
    const all = await kept()
    expect([all.runs.length, all.conversations.length, all.documents.length]).toEqual([3, 3, 2])

    await clock.advance(29 * DAY_MS)
    expect(await sweep()).toEqual({ runs: 0, conversations: 0, uploads: 0, waiting: 0 })
    expect(await kept()).toEqual(all)
    await clock.advance(DAY_MS + 60_000)
    const [young, youngTalk] = await begin('A new chart')
    const files = (await app.artifacts.list('local')).length
    expect(await sweep()).toEqual({ runs: 2, conversations: 0, uploads: 0, waiting: 1 })
    expect((await kept()).runs).toEqual([waiting, young].toSorted())
    expect((await app.artifacts.list('local')).length).toBe(files - 2)
    expect([old, inPinned]).not.toContain(waiting)
    await clock.advance(30 * DAY_MS + 60_000)
    expect(await sweep()).toMatchObject({ runs: 1, conversations: 1, uploads: 0 })
    expect((await kept()).conversations).toEqual([waitingTalk, pinnedTalk, youngTalk].toSorted())
    expect((await kept()).conversations).not.toContain(oldTalk)
    await clock.advance(31 * DAY_MS)
    expect(await sweep()).toMatchObject({ runs: 0, conversations: 1, uploads: 1, waiting: 1 })
    expect((await kept()).documents).toEqual(['here.md'])
    // Once it waits for no approval, it is deleted like the others.
    const [{ approvalId } = { approvalId: '' }] = await app.runs.approvals({ status: 'pending' })
    await app.runs.decide(approvalId, 'denied', 'me')
    await app.runs.outcome(waiting)
    await clock.advance(91 * DAY_MS)
    expect(await sweep()).toMatchObject({ runs: 1, conversations: 1, waiting: 0 })
    expect(await kept()).toEqual({ runs: [], conversations: [pinnedTalk], documents: ['here.md'] })
    expect(await app.artifacts.list('local')).toEqual([])
  })

  it('stays by default, and is checked every hour when a period is set', async () => {
    await open({})
    expect(app.retention.description).toBe(undefined)
    const [run] = await begin('A chart')
    await clock.advance(4_000 * DAY_MS)
    expect(await sweep()).toEqual({ runs: 0, conversations: 0, uploads: 0, waiting: 0 })
    expect((await kept()).runs).toEqual([run])
    await app.close()

    await open({ runDays: 1 })
    expect(app.retention.description).toBe('runs after 1 day')
    const told: DeletionCounts[] = []
    let isTold = (): void => undefined
    const next = (): Promise<void> => new Promise((resolve) => (isTold = resolve))
    const first = next()
    const end = app.retention.watch((swept) => {
      told.push(swept)
      isTold()
    })
    await first
    expect(told.map(({ runs }) => runs)).toEqual([1])
    await end()
  })
}
