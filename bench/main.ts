/**
 * `npm run bench`: what the engine costs. Prints tables; compare numbers of one run only, since machines differ. To be
 * run as one bundle of plain JavaScript: what tsx adds to every closure is a quarter of the engine's own cost.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/shared/clock.ts'
import { createMemoryStorage, openStorage, type Storage } from '../src/storage/index.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { assistantCosts, builtLibrary } from './assistant.ts'
import { coldImport } from './cold-import.ts'
import { engineCost, type EngineCost } from './engine.ts'
import { figuresCost } from './figures.ts'
import { CALL_MS, firstWordCosts } from './first-word.ts'
import { median } from './measure.ts'
import { repetitionCosts } from './repetition.ts'
import { toolLoopCosts } from './tool-loop.ts'

const options = {
  clock: systemClock,
  onError: (error: Error) => {
    throw error
  },
}

const ROUNDS = 5
const LOOP_QUESTIONS = 60

interface Place {
  readonly name: string
  /** Runs a round. */
  readonly runs: number
  /** Stores of one name hold the same, as far as they outlive their process. */
  open(name: string): Promise<Storage>
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-'))
  const postgres = await startPostgres()
  try {
    const places: Place[] = [
      { name: 'memory', runs: 40, open: () => createMemoryStorage(options) },
      { name: 'SQLite', runs: 20, open: (name) => openStorage({ ...options, dataDir: join(folder, name) }) },
    ]
    if (postgres === undefined) console.log('PostgreSQL is not installed on this machine: left out.\n')
    else
      places.push({ name: 'PostgreSQL', runs: 10, open: () => openStorage({ ...options, databaseUrl: postgres.url }) })
    await printEngineCosts(places)
    await printToolLoopCosts(places[1]!)
    await printAssistantCosts()
    await printFirstWords()
    await printRepetitionCosts()
    console.log(`Checking the figures of 200 sentences: ${figuresCost().toFixed(1)} ms`)
    const ms = await coldImport()
    console.log(
      ms === undefined
        ? 'Cold import of the library: not measured, dist/ is not built (npm run build).'
        : `Cold import of the library: ${ms.toFixed(1)} ms`,
    )
  } finally {
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The cost of the engine per job, beside that of the same appends without it. */
async function printEngineCosts(places: readonly Place[]): Promise<void> {
  console.log('Engine per job, runs of 100 jobs that do nothing (median)')
  const rows: Record<string, Record<string, string | number>> = {}
  for (const { name, runs, open } of places) {
    for (const how of ['sequential', 'parallel'] as const) {
      const costs: EngineCost[] = []
      // The first round is until the code is compiled. Each has a store of its own, lest memory fill up with old logs.
      for (let round = 0; round <= ROUNDS; round++) {
        const storage = await open(randomUUID())
        const cost = await engineCost(storage.store, how, runs)
        await storage.close()
        if (round > 0) costs.push(cost)
      }
      const perJob = median(costs.map((cost) => cost.perJob))
      const bare = median(costs.map((cost) => cost.bare))
      const { appends } = costs[0]!
      rows[`${name}, ${how}`] = {
        'µs per job': perJob.toFixed(1),
        'bare appends, µs': bare.toFixed(1),
        ratio: (perJob / bare).toFixed(1),
        'appends per run': appends,
      }
    }
  }
  console.table(rows)
}

/** A question with one query, beside a bare loop; the target is a ratio of 3. */
async function printToolLoopCosts(place: Place): Promise<void> {
  console.log(`Processor time of a warm question with one query, logs in ${place.name} (median)`)
  const storage = await place.open(randomUUID())
  const { turns, tutti, bare } = await toolLoopCosts(storage.store, LOOP_QUESTIONS)
  await storage.close()
  console.table({
    'YAML agent': { turns: turns.tutti, ms: tutti.toFixed(2), ratio: (tutti / bare).toFixed(2) },
    'bare loop': { turns: turns.bare, ms: bare.toFixed(2), ratio: '1.00' },
  })
}

async function printAssistantCosts(): Promise<void> {
  console.log('A warm question with one query over the demo database: the assistant beside a bare loop')
  const library = await builtLibrary()
  if (library === undefined) return console.log('Not measured, dist/ is not built (npm run build).\n')
  const { tutti, bare } = await assistantCosts(library, LOOP_QUESTIONS)
  const by = (cost: typeof bare) => ({
    turns: cost.turns,
    'prompt tokens': cost.promptTokens,
    'of the bare': (cost.promptTokens / bare.promptTokens).toFixed(2),
    ms: cost.cpuMs.toFixed(2),
    ratio: (cost.cpuMs / bare.cpuMs).toFixed(2),
  })
  console.table({ assistant: by(tutti), 'bare loop': by(bare) })
}

/** What a person waits for. */
async function printFirstWords(): Promise<void> {
  console.log(`Time to the first word with a scripted model that takes ${CALL_MS} ms a call`)
  const costs = await firstWordCosts()
  if (costs === undefined) return console.log('Not measured, dist/ is not built (npm run build).\n')
  console.table(
    costs.map(({ question, strategy, calls, before, firstWordMs, answerMs }) => ({
      question,
      strategy,
      calls,
      'calls to the first word': before,
      'first word, ms': firstWordMs.toFixed(0),
      'answer, ms': answerMs.toFixed(0),
    })),
  )
}

/** The target is a ratio of 3 when the size doubles. */
async function printRepetitionCosts(): Promise<void> {
  console.log('Processor time of texts that repeat a piece, at 1, 2 and 4 times a size: the steepest of all pieces')
  const library = await builtLibrary()
  if (library === undefined) return console.log('Not measured, dist/ is not built (npm run build).\n')
  const rows = (await repetitionCosts(library)).map(({ kind, pieces, piece, ms, ratio }) => [
    kind,
    { pieces, steepest: piece, ms: ms.map((time) => time.toFixed(0)).join(', '), ratio: ratio.toFixed(1) },
  ])
  console.table(Object.fromEntries(rows))
}

await main()
