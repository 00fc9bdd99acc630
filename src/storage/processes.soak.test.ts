// Soak test: several processes on one database.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { bundle } from '../../test/support/bundle.ts'
import { note } from '../../test/support/storage.ts'
import { describeStorages } from '../../test/support/stores.ts'

let script: string

beforeAll(async () => {
  script = await bundle('support/storage-child.ts')
})
afterAll(() => rm(dirname(script), { recursive: true }))

describeStorages('a database that several processes use', 'each', (world) => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  function run(what: string) {
    const child = spawn(process.execPath, [script, what, JSON.stringify(world().settings)])
    children.push(child)
    const said = { out: '', err: '' }
    child.stdout.on('data', (chunk) => (said.out += String(chunk)))
    child.stderr.on('data', (chunk) => (said.err += String(chunk)))
    const ended = once(child, 'close')
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL')
      await ended
    }
    return { child, said, ended, kill }
  }

  it('can be started in parallel on an empty database', async () => {
    const started = Array.from({ length: 5 }, () => run('open'))
    for (const { ended, said } of started) {
      const [code] = await ended
      expect([code, said.err]).toEqual([0, ''])
    }
    expect(await (await world().open()).store.runs()).toEqual([])
  })

  it('leaves a gapless log with all acknowledged events when killed during appends', async () => {
    const { said, kill } = run('append')
    await vi.waitFor(() => expect(said.out.split('\n').length).toBeGreaterThan(40), 30_000)
    await kill()
    const acknowledged = Number(said.out.slice(0, said.out.lastIndexOf('\n')).split('\n').at(-1))
    const { store } = await world().open()
    const events = await store.read('a')
    expect(events.length).toBeGreaterThanOrEqual(acknowledged)
    expect(events.length % 3).toBe(1)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
    const afterSeq = events.length
    expect(await store.run('a')).toMatchObject({ lastSeq: afterSeq })
    expect(await store.append([{ runId: 'a', afterSeq, events: [note('on')] }])).toEqual(['appended'])
  })
})
