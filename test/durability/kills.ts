import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RunEvent } from '../../src/domain/events.ts'
import type { RunState } from '../../src/domain/state.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { omitUndefined } from '../../src/shared/json.ts'
import { createRandom } from '../support/random.ts'
import type { KillScene } from './kill-scene.ts'
import { approveAll, familyOf, officeRequest, openOffice, type OfficeOptions } from './office.ts'
import type { Death, VictimSettings } from './victim.ts'
import { testSeed } from '../support/seed.ts'

/** How many runs are killed on each database. `npm run soak:kills` kills more. */
export const KILLS = Number(process.env['TUTTI_TEST_KILLS'] ?? 2)
export const SEED = testSeed()

/** Result of a run that was killed and continued. */
export interface Killed {
  /** Undefined when the run was over before its death. */
  readonly death: string | undefined
  /** Differences from a run that is not killed. */
  readonly lost: readonly string[]
  /** Calls and jobs that had finished, and were done again. */
  readonly repeated: readonly string[]
  /** Number of sent mails: one by the run, one by its nested runs. */
  readonly mails: number
}

export interface Tally {
  kills: number
  readonly lost: string[]
  readonly repeated: string[]
  readonly effectsTwice: string[]
}

const MAILS = 2

export const NOTHING = { lost: [], repeated: [], effectsTwice: [] }

/**
 * Kills runs at random appends until `KILLS` have died, and logs the tally.
 * @param appends upper limit for the appends of a run; the number depends on the load of the machine
 */
export async function killAtRandom(
  title: string,
  appends: number,
  kill: (dieAt: Death) => Promise<Killed>,
): Promise<Tally> {
  const random = createRandom(SEED)
  const tally: Tally = { kills: 0, lost: [], repeated: [], effectsTwice: [] }
  const say = (): void => {
    const { kills, lost, repeated, effectsTwice } = tally
    console.log(
      `${title}, seed ${SEED}: ${kills} kills, ${lost.length} lost, ${repeated.length} repeated, ${effectsTwice.length} effects twice`,
    )
  }
  const isSoak = process.env['TUTTI_TEST_KILLS'] !== undefined
  let most = appends
  for (let tries = 0; tally.kills < KILLS && tries < 20 + 2 * KILLS; tries++) {
    const append = random.int(1, most)
    const when = random.chance(0.5) ? 'before' : 'after'
    const { death, lost, repeated, mails } = await kill({ append, when })
    const about = (what: string): string => `${what} (${death ?? 'survived'}, seed ${SEED})`
    if (death !== undefined) tally.kills++
    else most = append - 1
    tally.lost.push(...lost.map(about))
    tally.repeated.push(...repeated.map(about))
    if (mails !== MAILS) tally.effectsTwice.push(about(`${mails} mails`))
    // An interrupted soak has printed its progress.
    if (isSoak && death !== undefined && tally.kills % 5 === 0) say()
  }
  return tally
}

interface Course extends Pick<VictimSettings, 'strategy' | 'replans'> {
  /** Opens the engine that continues the run. */
  readonly open?: (options: OfficeOptions, runId: string) => Engine
}

/**
 * Kills a run at this moment, if it gets that far, and continues it in this process. Returns the result.
 * @param dieAt without it, the run is only executed in this process
 */
export async function killAndGoOn(
  { victim, world, storage: { store }, server }: KillScene,
  dieAt: Death | undefined,
  { strategy, replans = false, open = openOffice }: Course = {},
) {
  const runId = `run ${randomUUID()}`
  const outbox = join(tmpdir(), `outbox-${randomUUID()}`)
  const settings = {
    storage: world.settings,
    modelUrl: server.url,
    outbox,
    runId,
    replans,
    ...omitUndefined({ strategy }),
  }
  const death = dieAt && (await runVictim(victim, { ...settings, dieAt }))
  const logOf = async (): Promise<RunEvent[]> => {
    const family = await familyOf(store, runId)
    return (await Promise.all(family.map((one) => store.read(one)))).flat()
  }
  const before = await logOf()
  const engine = open({ store, modelUrl: server.url, outbox }, runId)
  // Killed before its start was on disk: no caller has its id.
  if (before.length === 0) await engine.start(officeRequest(runId, strategy), { runId })
  else if (death !== undefined) void engine.resume(runId).catch(() => undefined)
  // A statement of the dead process may still be under way in the database and claim a run: it is taken up later.
  await engine.work()
  await approveAll(engine, store, runId)
  const log = await logOf()
  const family = new Set(log.map((event) => event.runId)).size
  const state: RunState = await engine.state(runId)
  await engine.close()
  const mails = (await readFile(outbox, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  await rm(outbox, { force: true })
  return { runId, death, before, log, state, family, mails }
}

/** Runs until its death and returns its report of it; undefined when it survived. */
async function runVictim(victim: string, settings: VictimSettings): Promise<string | undefined> {
  const child = spawn(process.execPath, [victim, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)))
  if (signal === 'SIGKILL') return said.trim()
  expect(said.trim()).toBe('survived')
  return undefined
}

/** Calls and jobs that are logged as finished more than once, in a run and its nested runs. */
export function finishedTwice(log: readonly RunEvent[]): string[] {
  const finished = log.flatMap((event) => {
    if (event.type === 'call.finished') return [`${event.runId} ${event.key} ${event.path}`]
    return event.type === 'job.settled' ? [`${event.runId} ${event.key}`] : []
  })
  return finished.filter((key, place) => finished.indexOf(key) !== place)
}
