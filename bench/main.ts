/**
 * `npm run bench`: what questions cost. Prints tables; compare numbers of one run only, since machines differ. To be
 * run as one bundle of plain JavaScript: what tsx adds to every closure is a quarter of the engine's own cost.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/shared/clock.ts'
import { openStorage } from '../src/storage/index.ts'
import { assistantCosts, builtLibrary } from './assistant.ts'
import { coldImport } from './cold-import.ts'
import { figuresCost } from './figures.ts'
import { CALL_MS, firstWordCosts } from './first-word.ts'
import { linearCosts } from './linear.ts'
import { repetitionCosts } from './repetition.ts'
import { toolLoopCosts } from './tool-loop.ts'

const LOOP_QUESTIONS = 60
const MAX_RATIO = 8

async function main(): Promise<void> {
  await printToolLoopCosts()
  await printAssistantCosts()
  await printFirstWords()
  await printRepetition()
  printLinear()
  console.log(`Checking the figures of 200 sentences: ${figuresCost().toFixed(1)} ms`)
  const ms = await coldImport()
  console.log(
    ms === undefined
      ? 'Cold import of the library: not measured, dist/ is not built (npm run build).'
      : `Cold import of the library: ${ms.toFixed(1)} ms`,
  )
}

/** The target is a ratio of 3: processor time at most triples when the size doubles. */
async function printRepetition(): Promise<void> {
  console.log('Texts that repeat one piece, at 1, 2 and 4 times a size (processor time)')
  const library = await builtLibrary()
  if (library === undefined) return console.log('Not measured, dist/ is not built (npm run build).\n')
  const rows = (await repetitionCosts(library)).map(({ kind, pieces, piece, ms, ratio }) => [
    kind,
    { pieces, steepest: piece, ms: ms.map((time) => time.toFixed(0)).join(', '), ratio: ratio.toFixed(1) },
  ])
  console.table(Object.fromEntries(rows))
}

/** Linear time has a ratio of about 4, quadratic time of 16. Fails above 8. */
function printLinear(): void {
  console.log('Functions that take linear time, for a size and 4 times that size (processor time)')
  const costs = linearCosts()
  const rows = costs.map(({ name, ms, ratio }) => [
    name,
    { ms: ms.map((time) => time.toFixed(1)).join(', '), ratio: ratio.toFixed(1) },
  ])
  console.table(Object.fromEntries(rows))
  if (costs.some(({ ratio }) => ratio > MAX_RATIO)) process.exitCode = 1
}

/** A question with one query, beside a bare loop; the target is a ratio of 3. */
async function printToolLoopCosts(): Promise<void> {
  console.log('Processor time of a warm question with one query, logs in SQLite (median)')
  const dataDir = await mkdtemp(join(tmpdir(), 'tutti-bench-'))
  const onError = (error: Error): never => {
    throw error
  }
  const storage = await openStorage({ clock: systemClock, onError, dataDir })
  const { turns, tutti, bare } = await toolLoopCosts(storage.store, LOOP_QUESTIONS)
  await storage.close()
  await rm(dataDir, { recursive: true })
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

await main()
