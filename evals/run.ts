/**
 * `npm run eval [-- SET…] [--strategy NAME]`: puts the project's own questions and prints how many were answered right, declined and
 * wrong in each set. The answers are written to `evals/.data/last.json`.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createOutput } from '../src/cli/output.ts'
import { printEvaluation } from '../src/cli/render/evaluation.ts'
import { systemClock } from '../src/shared/clock.ts'
import { parseCases, type EvalCase } from '../src/evaluation/cases.ts'
import { evaluateCases, type CaseApp } from '../src/evaluation/evaluate.ts'
import { parseRun, type CaseResult, type EvalRun } from '../src/evaluation/results.ts'
import { openConfiguredApp } from '../src/app/setup.ts'
import { DATA, hasChinook, makeDatabases, writeConfig } from './databases.ts'

const ROOT = join(import.meta.dirname, '..')

/** The cases of the sets that are named, all of them when none is. */
export async function readSets(names: readonly string[]): Promise<EvalCase[]> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.jsonl')).sort()
  const wanted = files.filter((file) => names.length === 0 || names.includes(file.replace('.jsonl', '')))
  const read = wanted.map(async (file) => parseCases(await readFile(join(import.meta.dirname, file), 'utf8'), file))
  return (await Promise.all(read)).flat()
}

/** Without a model. */
export async function runCases(cases: readonly EvalCase[], onCase?: (one: CaseResult) => void): Promise<CaseResult[]> {
  return evaluateCases({
    cases,
    request: {},
    parallel: 4,
    clock: systemClock,
    signal: new AbortController().signal,
    ...(onCase === undefined ? {} : { onCase }),
    keyOf: ({ id, turns, db, docs }) => JSON.stringify([turns.length > 1 ? id : '', db, docs]),
    open,
  })
}

async function open({ db = [], docs = [] }: EvalCase): Promise<CaseApp> {
  const configFile = await writeConfig(db, ROOT)
  const sources = { documents: docs, ...(configFile === undefined ? {} : { configFile }) }
  return openConfiguredApp({ env: {}, cwd: ROOT, inMemory: true, ...sources })
}

const USAGE = 'Usage: npm run eval -- [SET …] [--strategy NAME]'

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { strategy: { type: 'string' } },
    })
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

async function main(): Promise<void> {
  const { values, positionals: names } = argumentsGiven()
  await makeDatabases()
  const out = createOutput(process.stdout, process.env)
  const isThere = ({ set }: EvalCase): boolean => set !== 'chinook' || hasChinook()
  const all = await readSets(names)
  const cases = all.filter(isThere)
  if (cases.length < all.length) out.line('The set chinook is left out: see evals/README.md for its database.')
  const startedAt = new Date().toISOString()
  const asked = cases.map((one) => (values.strategy === undefined ? one : { ...one, strategy: values.strategy }))
  const say = ({ set, id, verdict }: CaseResult): void => void process.stderr.write(`${verdict} ${set} ${id}\n`)
  const results = await runCases(asked, say)
  const run: EvalRun = { version: 1, files: ['evals'], startedAt, models: {}, cases: results }
  const file = join(DATA, 'last.json')
  const before = await readFile(file, 'utf8').then(
    (text) => onlySets(parseRun(text, file), new Set(results.map(({ set }) => set))),
    () => undefined,
  )
  printEvaluation(out, run, before)
  await writeFile(file, JSON.stringify(run, null, 1))
}

/** An earlier run may have had other sets. */
function onlySets(run: EvalRun, sets: ReadonlySet<string>): EvalRun {
  return { ...run, cases: run.cases.filter(({ set }) => sets.has(set)) }
}

if (process.argv[1] === import.meta.filename) await main()
