import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Storage } from '../../src/storage/index.ts'
import { eventually } from '../support/engine-world.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { describeStorages } from '../support/stores.ts'
import { bundle } from '../support/bundle.ts'
import { MODEL_RULES, openOffice } from './office.ts'
import type { TenantSettings } from './tenant.ts'

/** A PID namespace of its own, as a container has it, with the host's name and network. */
const APART = ['--pid', '--fork', '--kill-child', '--mount-proc']
const isApartPossible = spawnSync('unshare', [...APART, 'true']).status === 0

describeStorages('processes that share a database', 'one', (world) => {
  let program: string
  let storage: Storage
  let server: ModelServer
  const children: ChildProcess[] = []

  beforeAll(async () => {
    program = await bundle('durability/tenant.ts')
    storage = await world().open()
    server = await startModelServer(MODEL_RULES)
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
    await rm(dirname(program), { recursive: true })
  })

  function paths() {
    const id = randomUUID()
    return { runId: `run ${id}`, outbox: join(tmpdir(), `outbox-${id}`), go: join(tmpdir(), `go-${id}`) }
  }

  function run(settings: Omit<TenantSettings, 'storage' | 'modelUrl'>, isApart: boolean) {
    const about: TenantSettings = { ...settings, storage: world().settings, modelUrl: server.url }
    const command = [process.execPath, program, JSON.stringify(about)]
    const child = isApart
      ? spawn('unshare', [...APART, ...command], { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const said: string[] = []
    child.stdout!.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')))
    return { child, said, ended: once(child, 'close'), says: (what: string) => eventually(() => said.includes(what)) }
  }

  const mailsIn = async (outbox: string): Promise<string[]> =>
    (await readFile(outbox, 'utf8').catch(() => '')).split('\n').filter(Boolean)

  it.skipIf(!isApartPossible)(
    `in separate PID namespaces with one host name: neither considers the other dead, the mail is sent once${isApartPossible ? '' : ' (unshare is not permitted on this machine)'}`,
    async () => {
      const { runId, outbox, go } = paths()
      const holder = run({ runId, outbox, go, role: 'holder' }, true)
      await holder.says('sending')
      const neighbour = run({ runId, outbox, go, role: 'neighbour' }, true)
      await neighbour.ended
      expect(neighbour.said).toEqual(['RunConflict'])
      await writeFile(go, '')
      await holder.ended
      expect(holder.said).toEqual(['sending', 'finished'])
      expect(await mailsIn(outbox)).toHaveLength(1)
      await Promise.all([rm(outbox), rm(go)])
    },
  )

  it('one that froze between intent and call, and lost the run meanwhile, does not make the call', async () => {
    const { runId, outbox, go } = paths()
    const frozen = run({ runId, outbox, go, role: 'holder', freezes: true, leaseMs: 1_000 }, false)
    await frozen.says('frozen')
    await eventually(async () => ((await storage.store.run(runId))!.leaseUntil ?? 0) < Date.now())
    const heir = openOffice({ store: storage.store, modelUrl: server.url, outbox, isTrusting: true })
    await heir.resume(runId)
    expect((await heir.outcome(runId)).status).toBe('finished')
    expect(await mailsIn(outbox)).toHaveLength(1)
    frozen.child.kill('SIGCONT')
    await frozen.ended
    expect(frozen.said.slice(0, 2)).toEqual(['frozen', 'thawed'])
    expect(await mailsIn(outbox), 'the one that froze sends nothing').toHaveLength(1)
    await heir.close()
    await rm(outbox)
  })
})
