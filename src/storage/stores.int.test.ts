import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { moment, note, started } from '../../test/support/storage.ts'
import { describeStorages } from '../../test/support/stores.ts'
import type { NewEvent } from '../domain/events.ts'
import { runParts, type RunFilter, type RunStore } from '../domain/store.ts'

const requested = (approvalId: string, n = 2): NewEvent => ({
  type: 'approval.requested',
  at: new Date(moment(n)).toISOString(),
  key: 'task:1',
  approvalId,
  path: 'task:1/mail.send/1',
  tool: 'mail.send',
  payload: { to: 'a@example.org', nested: [1, null, 'ä\0'] },
  reason: 'It cannot be undone.',
  provenance: { author: 'outside', private: true, sources: ['web'] },
  expiresAt: moment(120),
})

const decided = (approvalId: string, decision: 'approved' | 'denied', n = 3): NewEvent => ({
  type: 'approval.decided',
  at: new Date(moment(n)).toISOString(),
  approvalId,
  decision,
  by: 'ada',
})

describeStorages('a store', 'each', (world, kind) => {
  let store: RunStore
  beforeEach(async () => {
    store = (await world().open()).store
  })

  const start = (runId: string, question?: string, n?: number): Promise<unknown> =>
    store.append([{ runId, afterSeq: 0, events: [started(question, n)] }])

  it('returns events unchanged, numbered from 1', async () => {
    const odd = note('NUL \0, half \uD83D, "quotes" \\ and {braces}, ünïcode 🎻')
    expect(await store.append([{ runId: 'a', afterSeq: 0, events: [started(), odd] }])).toEqual(['appended'])
    expect(await store.append([{ runId: 'a', afterSeq: 2, events: [note('third', 7)] }])).toEqual(['appended'])
    const common = { runId: 'a', v: 1 }
    expect(await store.read('a')).toEqual([
      { ...started(), ...common, seq: 1 },
      { ...odd, ...common, seq: 2 },
      { ...note('third', 7), ...common, seq: 3 },
    ])
    expect((await store.read('a', 1)).map((event) => event.seq)).toEqual([2, 3])
    expect(await store.read('a', 3)).toEqual([])
    expect(await store.read('unknown')).toEqual([])
  })

  it('projects a run', async () => {
    const parent = { runId: 'parent', key: 'task:2' }
    await store.append([
      { runId: 'a', afterSeq: 0, events: [{ ...started('Why\0?', 4), parent } as NewEvent, note('x', 9)] },
    ])
    const expected = {
      runId: 'a',
      strategy: 'graph',
      status: 'running',
      parentId: 'parent',
      lastSeq: 2,
      epoch: 0,
      createdAt: moment(4),
      updatedAt: moment(9),
    }
    const run = await store.run('a')
    expect(run).toMatchObject(expected)
    expect(run).not.toHaveProperty('worker')
    expect(run?.question).toMatch(/^Why.\?$/)
    await store.append([{ runId: 'a', afterSeq: 2, events: [note('y', 20)], status: 'waiting' }])
    expect(await store.run('a')).toMatchObject({ status: 'waiting', lastSeq: 3, updatedAt: moment(20) })
    await store.append([{ runId: 'a', afterSeq: 3, events: [note('z', 21)] }])
    expect(await store.run('a')).toMatchObject({ status: 'waiting', lastSeq: 4, createdAt: moment(4) })
    expect(await store.run('unknown')).toBeUndefined()
  })

  it('changes only the status without events', async () => {
    await start('a')
    expect(await store.append([{ runId: 'a', afterSeq: 1, events: [], status: 'finished' }])).toEqual(['appended'])
    expect(await store.run('a')).toMatchObject({ status: 'finished', lastSeq: 1, updatedAt: moment(0) })
    expect(await store.append([{ runId: 'a', afterSeq: 7, events: [], status: 'failed' }])).toEqual(['conflict'])
    expect(await store.run('a')).toMatchObject({ status: 'finished' })
  })

  it('lists runs newest first, filtered and limited', async () => {
    await start('old', 'q', 1)
    await start('new', 'q', 9)
    await start('mid-b', 'q', 5)
    await start('mid-a', 'q', 5)
    await store.append([
      {
        runId: 'child',
        afterSeq: 0,
        events: [{ ...started('q', 2), parent: { runId: 'old', key: 'k' } } as NewEvent],
      },
      { runId: 'mid-a', afterSeq: 1, events: [note('done')], status: 'finished' },
    ])
    const ids = async (filter?: Parameters<RunStore['runs']>[0]): Promise<string[]> =>
      (await store.runs(filter)).map((run) => run.runId)
    expect(await ids()).toEqual(['new', 'mid-b', 'mid-a', 'child', 'old'])
    expect(await ids({ limit: 2 })).toEqual(['new', 'mid-b'])
    expect(await ids({ status: ['finished'] })).toEqual(['mid-a'])
    expect(await ids({ status: ['finished', 'running'], limit: 3 })).toEqual(['new', 'mid-b', 'mid-a'])
    expect(await ids({ status: [] })).toEqual([])
    expect(await ids({ parentId: 'old' })).toEqual(['child'])
  })

  it('finds runs by their agents and models, whenever these were logged', async () => {
    const at = new Date(moment(1)).toISOString()
    const begun = (actor: string): NewEvent => ({ type: 'job.started', at, key: actor, actor, attempt: 1 })
    const call = (model?: string): NewEvent => {
      const made = { type: 'call.finished', at, key: 'a', path: 'a', kind: 'model', name: 'a', latencyMs: 1 } as const
      return model === undefined ? made : { ...made, model }
    }
    // A model that was asked and never answered takes no part.
    const refused = (model: string): NewEvent => ({ ...call(model), by: 'fallback', requests: 1 }) as NewEvent
    const [agents, models] = [
      ['sql', 'rag', 'sql-2', "o'brien"],
      ['tiny', 'tiny:1', 'sql'],
    ]
    const event = fc.oneof(
      fc.constantFrom(...agents).map(begun),
      fc.constantFrom(undefined, ...models).map(call),
      fc.constantFrom(...models).map(refused),
    )
    const logs = fc.sample(fc.array(event, { maxLength: 4 }), { numRuns: 24, seed: 15 })
    const owner = (n: number): string => (n % 3 === 0 ? 'ann' : 'ben')
    const first = (n: number) => ({ ...started('q', n), owner: owner(n) }) as NewEvent
    await store.append(logs.map((log, n) => ({ runId: `${n}`, afterSeq: 0, events: [first(n), ...log.slice(0, 1)] })))
    for (const [n, log] of logs.entries()) {
      if (log.length > 1) await store.append([{ runId: `${n}`, afterSeq: 2, events: log.slice(1) }])
    }
    // What was refused leaves no trace.
    expect(await store.append([{ runId: '0', afterSeq: 0, events: [begun('nobody')] }])).toEqual(['conflict'])
    const has = (n: number, wanted: (one: NewEvent) => boolean) => logs[n]!.some(wanted)
    for (const mine of ['ann', 'ben']) {
      const own = [...logs.keys()].toReversed().filter((n) => owner(n) === mine)
      const runs = async (filter: RunFilter) => (await store.runs({ ...filter, owner: mine })).map(({ runId }) => runId)
      for (const wanted of [...agents.map((one) => [one]), ['rag', 'sql-2'], ['nobody'], []]) {
        const isIn = (n: number) => has(n, (one) => one.type === 'job.started' && wanted.includes(one.actor))
        expect(await runs({ agents: wanted })).toEqual(own.filter(isIn).map(String))
        for (const model of models) {
          const isBoth = (n: number) =>
            isIn(n) && has(n, (one) => one.type === 'call.finished' && one.by === undefined && one.model === model)
          expect(await runs({ agents: wanted, model })).toEqual(own.filter(isBoth).map(String))
        }
      }
      const parts = runParts(own.flatMap((n) => logs[n]!)).map(({ kind, name }) => `${kind} ${name}`)
      expect((await store.parts(mine)).map(({ kind, name }) => `${kind} ${name}`)).toEqual(parts.toSorted())
    }
    expect(await store.parts('nobody')).toEqual([])
    expect(await store.runs({ agents: ['sql\0', '\0'] })).toEqual([])
    expect(await store.runs({ model: '\0' })).toEqual([])
    expect(await store.runs({ strategy: '\0' })).toEqual([])
  })

  it('finds them by the longest name, which does not prevent other writes', async () => {
    const at = new Date(moment(1)).toISOString()
    const named = fc.sample(fc.string({ unit: 'grapheme-ascii', minLength: 9_000, maxLength: 9_000 }), 1)[0]!
    const part: NewEvent = { type: 'job.started', at, key: 'a', actor: named, attempt: 1 }
    expect(
      await store.append([
        { runId: 'long', afterSeq: 0, events: [{ ...started('q'), owner: 'cid' } as NewEvent, part] },
        { runId: 'beside', afterSeq: 0, events: [started('q')] },
      ]),
    ).toEqual(['appended', 'appended'])
    expect((await store.runs({ agents: [named] })).map(({ runId }) => runId)).toEqual(['long'])
    expect(await store.parts('cid')).toEqual([{ kind: 'agent', name: named.slice(0, 300) }])
  })

  it('projects approvals, and counts only the first decision', async () => {
    await start('a')
    await store.append([{ runId: 'a', afterSeq: 1, events: [requested('x', 2), requested('y', 1)], status: 'waiting' }])
    const pending = await store.approvals({ status: 'pending' })
    expect(pending.map((approval) => approval.approvalId)).toEqual(['y', 'x'])
    const { type: _type, at: _at, ...about } = requested('x') as NewEvent & { type: 'approval.requested' }
    const record = { runId: 'a', owner: 'local', status: 'pending', requestedAt: moment(2) }
    expect(pending[1]).toEqual({ ...about, ...record })
    await store.append([{ runId: 'a', afterSeq: 3, events: [decided('x', 'approved')] }])
    await store.append([{ runId: 'a', afterSeq: 4, events: [decided('x', 'denied', 9)] }])
    expect(await store.approvals({ approvalId: 'x' })).toMatchObject([
      { status: 'approved', decidedBy: 'ada', decidedAt: moment(3) },
    ])
    expect(await store.approvals({ runId: 'a', status: 'pending' })).toHaveLength(1)
    expect(await store.approvals({ runId: 'b' })).toEqual([])
  })

  it('erases a finished run with all of its rows, and no other', async () => {
    const large = note('x'.repeat(20_000))
    const nestedIn = (runId: string) => ({ ...started(), parent: { runId, key: 'x' } })
    const last: NewEvent = { type: 'job.started', at: large.at, key: 'k', actor: 'last', attempt: 1 }
    await store.append([
      { runId: 'a', afterSeq: 0, events: [started(), requested('a:1'), large], wakes: [{ runId: 'a' }] },
      { runId: 'child', afterSeq: 0, events: [nestedIn('a'), large] },
      { runId: 'grandchild', afterSeq: 0, events: [nestedIn('child')] },
      { runId: 'other', afterSeq: 0, events: [started(), requested('a:1'), large] },
    ])
    const end = (runId: string, afterSeq: number) =>
      store.append([{ runId, afterSeq, events: [last], status: 'finished' }])
    await Promise.all([end('a', 3), end('child', 2), end('other', 3)])
    expect(await store.remove('local', 'a')).toBe(0) // the grandchild is still running
    expect(await store.runs()).toHaveLength(4)
    await end('grandchild', 1)
    expect(await store.remove('bob', 'a')).toBe(0)
    expect(await store.remove('local', 'none')).toBe(0)
    expect(await store.remove('local', 'a')).toBe(3)

    expect((await store.runs()).map(({ runId }) => runId)).toEqual(['other'])
    for (const runId of ['a', 'child', 'grandchild']) expect(await store.read(runId)).toEqual([])
    expect((await store.approvals()).map(({ runId }) => runId)).toEqual(['other'])
    expect(await store.read('other')).toMatchObject([{}, {}, large, {}])
    expect(await store.append([{ runId: 'a', afterSeq: 4, events: [note('late')] }])).toEqual(['lost'])
    await start('a')
    expect(await store.read('a')).toHaveLength(1)
    expect((await store.runs({ agents: ['last'] })).map(({ runId }) => runId)).toEqual(['other'])
  })

  it('accepts a request and its decision in one append', async () => {
    await store.append([{ runId: 'a', afterSeq: 0, events: [started(), requested('x'), decided('x', 'denied')] }])
    expect(await store.approvals()).toMatchObject([{ approvalId: 'x', status: 'denied' }])
  })

  it('separates the same approval of a run and its fork', async () => {
    await store.append([
      { runId: 'a', afterSeq: 0, events: [started(), requested('x')] },
      { runId: 'fork', afterSeq: 0, events: [started(), requested('x')] },
    ])
    await store.append([{ runId: 'fork', afterSeq: 2, events: [decided('x', 'denied')] }])
    const statuses = (await store.approvals({ approvalId: 'x' })).map(({ runId, status }) => [runId, status])
    expect(Object.fromEntries(statuses)).toEqual({ a: 'pending', fork: 'denied' })
  })

  it('refuses an append for a missing run, a second start, and accepts an empty batch', async () => {
    await start('a')
    expect(await store.append([{ runId: 'a', afterSeq: 0, events: [started()] }])).toEqual(['conflict'])
    expect(await store.append([{ runId: 'none', afterSeq: 0, events: [note('x')] }])).toEqual(['lost'])
    expect(await store.append([{ runId: 'none', afterSeq: 4, events: [note('x')] }])).toEqual(['lost'])
    expect(await store.append([{ runId: 'none', afterSeq: 0, epoch: 1, events: [started()] }])).toEqual(['lost'])
    expect(await store.append([{ runId: 'a', afterSeq: 1, epoch: 3, events: [note('x')] }])).toEqual(['lost'])
    expect(await store.append([])).toEqual([])
    expect(await store.runs()).toHaveLength(1)
  })

  it('isolates a conflict from the rest of its batch', async () => {
    await start('a')
    await start('b')
    const outcomes = await store.append([
      { runId: 'a', afterSeq: 1, events: [note('a2')] },
      { runId: 'b', afterSeq: 9, events: [note('b10'), requested('x')], wakes: [{ runId: 'b' }] },
      { runId: 'c', afterSeq: 0, events: [started(), note('c2')] },
      { runId: 'a', afterSeq: 2, events: [note('a3')], status: 'finished' },
      { runId: 'a', afterSeq: 2, events: [note('late')], status: 'failed' },
      { runId: 'gone', afterSeq: 1, events: [note('x')] },
    ])
    expect(outcomes).toEqual(['appended', 'conflict', 'appended', 'appended', 'conflict', 'lost'])
    expect((await store.read('a')).map((event) => 'message' in event && event.message)).toEqual([false, 'a2', 'a3'])
    expect(await store.read('b')).toHaveLength(1)
    expect(await store.read('c')).toHaveLength(2)
    expect(await store.run('a')).toMatchObject({ status: 'finished', lastSeq: 3 })
    expect(await store.approvals()).toEqual([])
  })

  it('refuses values that are not JSON with one clear error, and writes nothing of the batch', async () => {
    await start('a')
    const bad = { ...note('x'), data: { n: 1n } } as unknown as NewEvent
    const appends = [
      { runId: 'b', afterSeq: 0, events: [started()] },
      { runId: 'a', afterSeq: 1, events: [bad] },
    ]
    await expect(store.append(appends)).rejects.toMatchObject({
      code: 'StorageError',
      message: expect.stringMatching(/^Event note of run a cannot be stored: .*BigInt.* Make its values plain JSON\.$/),
    })
    expect(await store.run('b')).toBeUndefined()
    expect(await store.append([{ runId: 'a', afterSeq: 1, events: [note('x')] }])).toEqual(['appended'])
  })

  it('gives a run to one worker at a time', async () => {
    await start('a')
    expect(await store.claim('none', 'w1', 2_000, 1_000)).toBeUndefined()
    expect(await store.claim('a', 'w1', 2_000, 1_000)).toMatchObject({ epoch: 1, worker: 'w1', leaseUntil: 2_000 })
    expect(await store.claim('a', 'w2', 2_500, 1_999)).toBeUndefined()
    expect(await store.claim('a', 'w2', 2_500, 1_999, () => true)).toBeUndefined()
    expect(await store.run('a')).toMatchObject({ epoch: 1, worker: 'w1' })

    expect(await store.renew('a', 1, 3_000)).toBe(true)
    expect(await store.claim('a', 'w2', 4_000, 2_999)).toBeUndefined()
    expect(await store.claim('a', 'w2', 4_000, 3_000)).toMatchObject({ epoch: 2, worker: 'w2' })
    expect(await store.renew('a', 1, 9_000)).toBe(false)
    await store.release('a', 1)
    expect(await store.run('a')).toMatchObject({ epoch: 2, worker: 'w2', leaseUntil: 4_000 })
  })

  it('reassigns a run at once when its worker is known to be dead', async () => {
    await start('a')
    await store.claim('a', 'w1', 9_000, 1_000)
    const asked: string[] = []
    const record = await store.claim('a', 'w2', 9_500, 1_500, (worker) => {
      asked.push(worker)
      return false
    })
    expect(asked).toEqual(['w1'])
    expect(record).toMatchObject({ epoch: 2, worker: 'w2', leaseUntil: 9_500 })
  })

  it('frees a released run without touching its log', async () => {
    await start('a')
    await store.claim('a', 'w1', 9_000, 1_000)
    await store.release('a', 1)
    const run = await store.run('a')
    expect(run).toMatchObject({ epoch: 1, lastSeq: 1, updatedAt: moment(0) })
    expect(run).not.toHaveProperty('worker')
    expect(run).not.toHaveProperty('leaseUntil')
    expect(await store.renew('a', 1, 9_999)).toBe(false)
    expect(await store.claim('a', 'w2', 9_000, 1_000)).toMatchObject({ epoch: 2 })
    await store.release('none', 1)
    expect(await store.renew('none', 1, 1)).toBe(false)
  })

  it('gives a run to exactly one of many claimants', async () => {
    await start('a')
    const other = (await world().open()).store
    const claims = Array.from({ length: 8 }, (_, i) => (i % 2 ? store : other).claim('a', `w${i}`, 2_000, 1_000))
    const won = (await Promise.all(claims)).filter((record) => record !== undefined)
    expect(won).toHaveLength(1)
    expect(await store.run('a')).toMatchObject({ epoch: 1, worker: won[0]?.worker })
  })

  it('gives each position in the log to exactly one of two connections', async () => {
    await start('a')
    const other = (await world().open()).store
    const write = async (via: RunStore, name: string): Promise<number> => {
      let won = 0
      for (let i = 0; i < 25; i++) {
        for (;;) {
          const { lastSeq } = (await via.run('a'))!
          const [outcome] = await via.append([{ runId: 'a', afterSeq: lastSeq, events: [note(`${name}${i}`)] }])
          if (outcome === 'appended') break
          expect(outcome).toBe('conflict')
        }
        won += 1
      }
      return won
    }
    expect(await Promise.all([write(store, 'x'), write(other, 'y')])).toEqual([25, 25])
    const events = await store.read('a')
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 51 }, (_, i) => i + 1))
    const messages = events.flatMap((event) => ('message' in event ? [event.message] : []))
    for (const name of ['x', 'y']) {
      const own = messages.filter((message) => message?.startsWith(name))
      expect(own).toEqual(Array.from({ length: 25 }, (_, i) => `${name}${i}`))
    }
  })

  it('keeps every log gapless and in order under any interleaving of appenders', async () => {
    const other = (await world().open()).store
    let round = 0
    const step = fc.record({
      run: fc.integer({ min: 0, max: 2 }),
      writer: fc.integer({ min: 0, max: 1 }),
      stale: fc.integer({ min: 0, max: 2 }),
      count: fc.integer({ min: 0, max: 3 }),
      claim: fc.boolean(),
    })
    const property = fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      async (batches) => {
        round += 1
        const name = (run: number): string => `r${round}-${run}`
        const model = [0, 1, 2].map(() => ({ messages: [''], epoch: 0 }))
        await store.append([0, 1, 2].map((run) => ({ runId: name(run), afterSeq: 0, events: [started()] })))
        for (const [b, batch] of batches.entries()) {
          const via = batch[0]!.writer === 0 ? store : other
          for (const { run, claim } of batch) {
            if (claim) model[run]!.epoch = (await via.claim(name(run), 'w', 0, 1))!.epoch
          }
          const expected: string[] = []
          const appends = batch.map(({ run, writer, stale, count }, s) => {
            const state = model[run]!
            const afterSeq = Math.max(1, state.messages.length - stale)
            const epoch = writer === 0 ? undefined : Math.max(0, state.epoch - (stale === 2 ? 1 : 0))
            const messages = Array.from({ length: count }, (_, i) => `${b}.${s}.${i}`)
            const lost = epoch !== undefined && epoch !== state.epoch
            const outcome = lost ? 'lost' : afterSeq === state.messages.length ? 'appended' : 'conflict'
            if (outcome === 'appended') state.messages.push(...messages)
            expected.push(outcome)
            const events = messages.map((message) => note(message))
            return { runId: name(run), afterSeq, events, ...(epoch === undefined ? {} : { epoch }) }
          })
          expect(await via.append(appends)).toEqual(expected)
        }
        for (const run of [0, 1, 2]) {
          const events = await other.read(name(run))
          expect(events.map((event) => event.seq)).toEqual(model[run]!.messages.map((_, i) => i + 1))
          const messages = events.map((event) => ('message' in event ? event.message : ''))
          expect(messages).toEqual(model[run]!.messages)
          expect(await store.run(name(run))).toMatchObject({ lastSeq: events.length, epoch: model[run]!.epoch })
        }
      },
    )
    await fc.assert(property, { numRuns: kind === 'SQLite' ? 100 : 40 })
  })
})
