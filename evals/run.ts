/**
 * `npm run eval [-- SET…] [--strategy NAME] [--strategies]`: puts the project's own questions and prints how many were answered right,
 * declined and wrong in each set. The answers are written to `evals/.data/last.json`, and with a report to `evals/.data/last.html`.
 * `--strategies` puts them to every strategy and writes `evals/strategies.md`; sets that are not named keep what was
 * measured of them before.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createOutput } from '../src/cli/output.ts'
import { printEvaluation } from '../src/cli/render/evaluation.ts'
import { systemClock } from '../src/shared/clock.ts'
import { parseCases, type EvalCase } from '../src/evaluation/cases.ts'
import { evaluateCases, type CaseApp } from '../src/evaluation/evaluate.ts'
import { htmlReport } from '../src/evaluation/report.ts'
import { parseRun, type CaseResult, type EvalRun } from '../src/evaluation/results.ts'
import { openConfiguredApp } from '../src/app/setup.ts'
import { DATA, hasChinook, makeDatabases, writeConfig } from './databases.ts'
import { casesByStrategy, comparisonPage, isAutoBest, missingIn, NAMES } from './comparison.ts'

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

const USAGE = 'Usage: npm run eval -- [SET …] [--strategy NAME] [--strategies]'

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { strategy: { type: 'string' }, strategies: { type: 'boolean' } },
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
  if (values.strategies === true) return comparison(cases, (await readSets([])).filter(isThere))
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
  await writeFile(join(DATA, 'last.html'), htmlReport(run, before))
}

/** Every case by every strategy, of which each source is opened once. What is measured of a set is kept at once. */
async function comparison(cases: readonly EvalCase[], all: readonly EvalCase[]): Promise<void> {
  const file = join(DATA, 'strategies.json')
  let kept = await readFile(file, 'utf8').then(
    (text) => parseRun(text, file).cases,
    () => [],
  )
  const say = ({ id, verdict }: CaseResult): void => void process.stderr.write(`${verdict} ${id}\n`)
  for (const set of new Set(cases.map((one) => one.set))) {
    const asked = casesByStrategy(cases.filter((one) => one.set === set))
    const startedAt = new Date().toISOString()
    kept = [...kept.filter((one) => one.set !== set), ...(await runCases(asked, say))]
    await writeFile(file, JSON.stringify({ version: 1, files: ['evals'], startedAt, models: {}, cases: kept }))
  }
  const measured = new Map(NAMES.map((one) => [one, kept.filter(({ id }) => id.endsWith(`:${one}`))]))
  const missing = missingIn(measured, all)
  if (missing.length === 0) await writeFile(join(import.meta.dirname, 'strategies.md'), comparisonPage(measured))
  const problems = [
    ...missing.map((set) => `The page is not written: ${set} is not measured yet`),
    ...(isAutoBest(measured) ? [] : ['auto is behind another strategy']),
  ]
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}

/** An earlier run may have had other sets. */
function onlySets(run: EvalRun, sets: ReadonlySet<string>): EvalRun {
  return { ...run, cases: run.cases.filter(({ set }) => sets.has(set)) }
}

if (process.argv[1] === import.meta.filename) await main()
