import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { DeletionCounts } from '../../src/app/retention.ts'
import { defineAgent } from '../../src/domain/actor.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { defineTool } from '../../src/domain/tool.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { createTestDatabase } from '../support/postgres.ts'

const DAY_MS = 86_400_000
const letter = defineTool({
  name: 'send_letter',
  description: 'Sends a letter.',
  effect: 'irreversible',
  provenance: BY_USER,
  input: z.object({}),
  run: async () => 'sent',
})
const clerk = defineAgent({
  name: 'clerk',
  description: 'Sends letters, and keeps copies.',
  capabilities: [],
  useCases: [],
  keywords: ['pigeon', 'chart'],
  async run({ text }, ctx) {
    if (text?.includes('pigeon') === true) await ctx.call(letter, {})
    const { id } = await ctx.artifacts.keep({ name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('kept') })
    return { answer: id }
  },
})

describe.each(['SQLite', 'PostgreSQL'] as const)('old data, on %s,', (kind) => {
  const isMissing = kind === 'PostgreSQL' && inject('postgresUrl') === ''
  let folder: string
  let databaseUrl: string | undefined
  let clock: ManualClock
  let app: App
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-retention-'))
    databaseUrl = kind === 'PostgreSQL' && !isMissing ? await createTestDatabase(inject('postgresUrl')) : undefined
    clock = new ManualClock(Date.UTC(2026, 0, 1))
  })
  afterEach(async () => {
    await app?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** The preview equals the later deletion, and deletes nothing itself. */
  const sweep = async (): Promise<DeletionCounts> => {
    const { retention } = app
    const [all, told] = [await kept(), await retention.wouldSweep(retention.days)]
    expect(await kept()).toEqual(all)
    const swept = await retention.sweep()
    expect(told).toEqual(swept)
    expect((await retention.swept())[0]).toEqual({ ...swept, at: clock.now() })
    expect(await retention.nextAt()).toBe(retention.inWords === undefined ? undefined : clock.now() + 3_600_000)
    return swept
  }
  const open = async (retention: Record<string, number>): Promise<App> => {
    const storage = databaseUrl === undefined ? { folder } : { databaseUrl, secretKey: '5'.repeat(64) }
    const approvals = { timeoutMs: 400 * DAY_MS }
    app = await createApp({ storage, clock, agents: [clerk], config: { retention, approvals } as never })
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

  it.skipIf(isMissing)(
    'is deleted after its period, except runs that wait, pinned conversations, and named files',
    async () => {
      await open({ runDays: 30, conversationDays: 60, uploadDays: 90 })
      const [old, oldTalk] = await begin('A chart')
      const [waiting, waitingTalk] = await begin('A pigeon')
      const [inPinned, pinnedTalk] = await begin('Another chart')
      await app.conversations.change('local', pinnedTalk, { pinnedAt: 1 })
      const bytes = Buffer.from('# Rules\n\nIt rains on 28 days.\n')
      await app.knowledge.ingest.add('local', { name: 'sent.md', bytes })
      await app.knowledge.ingest.add('local', { name: 'here.md', path: '/srv/here.md', bytes })
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
      // Of sweeps that deleted nothing only the last one is listed, and no old one.
      for (let n = 0; n < 3; n++) {
        await clock.advance(3_600_000)
        expect(await sweep()).toMatchObject({ runs: 0 })
      }
      expect((await app.retention.swept()).map(({ runs, conversations }) => runs + conversations)).toEqual([0, 2])
    },
  )

  it.skipIf(isMissing)('stays by default, and is checked every hour when a period is set', async () => {
    await open({})
    expect(app.retention.inWords).toBe(undefined)
    const [run] = await begin('A chart')
    await clock.advance(4_000 * DAY_MS)
    expect(await sweep()).toEqual({ runs: 0, conversations: 0, uploads: 0, waiting: 0 })
    expect((await kept()).runs).toEqual([run])
    expect(await app.retention.wouldSweep({ runDays: 4_000 })).toMatchObject({ runs: 0, conversations: 0 })
    await clock.advance(60_000)
    expect(await app.retention.wouldSweep({ runDays: 4_000 })).toMatchObject({ runs: 1, conversations: 0 })
    await app.close()

    await open({ runDays: 1 })
    expect(app.retention.inWords).toBe('runs after 1 day')
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
})
