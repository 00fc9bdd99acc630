import { TuttiError } from '../../domain/errors.ts'
import type { JsonOption, Program, YesOption } from '../command.ts'
import { addRunsShow, runStatusText } from './runs-show.ts'
import { addRunsVerify } from './runs-verify.ts'
import type { ExitCode } from '../exit-codes.ts'
import { findRun } from '../find-run.ts'
import { shortId, age } from '../render/units.ts'
import type { Cli } from '../cli.ts'
import { followRun, printOutcome } from '../follow.ts'
import { parseWholeNumber, parsePath, type OutcomeOptions, type SourceOptions } from '../option-values.ts'
import { withRunApp } from './served-demo.ts'
import { runView } from '../../domain/run-view.ts'
import { printJson } from '../failure.ts'
import { printItems } from '../render/table.ts'
import type { ForkChanges } from '../../engine/run/fork.ts'
import { assertModels, assertSources } from '../assert-options.ts'
import { safeLine } from '../render/text.ts'
import { omitUndefined } from '../../shared/json.ts'
import {
  argument,
  option,
  RUN_ID,
  JSON_OPTION,
  TRACE_OPTION,
  CONTEXT_OPTION,
  SYSTEM_PROMPT_OPTION,
  MODEL_OPTION,
  SOURCE_OPTIONS,
  YES_OPTION,
} from '../shared-options.ts'
import type { App } from '../../app/user-app.ts'
import { isFinal, type RunRecord } from '../../domain/store.ts'
import { askConfirmation } from '../prompt.ts'
import { writeOutputFile } from '../text-files.ts'

export function addRuns(program: Program): void {
  const root = program.root
    .command('runs')
    .description('list, inspect, resume, cancel, fork, export, verify and delete runs')
  const group = { ...program, root }
  addRunsList(group)
  addRunsShow(group)
  addRunsResume(group)
  addRunsCancel(group)
  addRunsFork(group)
  addRunsExport(group)
  addRunsDelete(group)
  addRunsVerify(group)
}

/** `tutti runs cancel`: also cancels a run of another process. Waits until the run has ended. */
function addRunsCancel({ root, cli, command }: Program): void {
  command(root, 'cancel', 'cancel a run, also one of another process', argument('<id>', RUN_ID)).withApp(
    async ({ runs }, id: string) => {
      const { runId } = await findRun(runs, id)
      await runs.cancel(runId, 'user')
      const { status } = await runs.outcome(runId)
      cli.err.line(`Run ${shortId(runId)} is ${status}.`)
    },
  )
}

function addRunsResume({ root, cli, command }: Program): void {
  command(
    root,
    'resume',
    'continue an interrupted run; finished model calls are not repeated',
    ...SOURCE_OPTIONS,
    argument('<id>', RUN_ID),
    TRACE_OPTION,
    JSON_OPTION,
  ).run((id: string, options: OutcomeOptions) => resumeRun(cli, id, options))
}

/**
 * `tutti runs resume`: continues a run in this process and prints its result, or prints the result of a finished run.
 */
function resumeRun(cli: Cli, id: string, options: OutcomeOptions): Promise<ExitCode> {
  const { json = false, trace = false } = options
  return withRunApp(cli, options, async (app) => {
    const { runId, status, lastSeq } = await findRun(app.runs, id)
    if (isFinal(status)) {
      cli.err.line(`Run ${shortId(runId)} is already ${status}.`)
      return printOutcome(cli, await app.runs.events(runId), { json, trace })
    }
    await assertSources(cli, app, runId, options)
    const working = app.runs.resume(runId)
    // Rejects first when another process has the run; else the run's own end decides.
    const [code] = await Promise.all([followRun(cli, app, runId, { json, trace, afterSeq: lastSeq }), working])
    return code
  })
}

/** `tutti runs list`: newest first. */
function addRunsList({ root, cli, command }: Program): void {
  command(
    root,
    'list',
    'list runs, newest first',
    option('--limit <n>', 'how many', parseWholeNumber).default(20),
    JSON_OPTION,
  ).withApp(async (app, { limit, json }: JsonOption & { readonly limit: number }) => {
    const runs = await app.runs.runs({ limit })
    const now = cli.clock.now()
    const rows = runs.map((run) => ({
      id: shortId(run.runId),
      status: runStatusText(run, now),
      age: age(now - run.createdAt),
      question: run.question,
    }))
    printItems(cli, {
      json,
      object: { runs: runs.map(runView) },
      empty: `There are no runs yet. Start one with: tutti ask "…"`,
      rows,
    })
  })
}

interface ForkOptions extends OutcomeOptions {
  readonly from: string
  readonly turn?: number
  readonly question?: string
  readonly systemPrompt?: string
  readonly model?: Readonly<Record<string, string>>
  readonly context?: Readonly<Record<string, string>>
}

function addRunsFork({ root, cli, command }: Program): void {
  command(
    root,
    'fork',
    'start a new run from a job of an earlier run, with changes',
    ...SOURCE_OPTIONS,
    argument('<id>', RUN_ID),
    option(
      '--from <job>',
      'job to do again, such as sql, plan:1 or compose:1; "runs show" lists them',
    ).makeOptionMandatory(),
    option('--turn <n>', 'turn of the job to repeat; earlier turns are kept', parseWholeNumber),
    option('--question <text>', 'another question, planned anew'),
    CONTEXT_OPTION,
    SYSTEM_PROMPT_OPTION,
    MODEL_OPTION,
    TRACE_OPTION,
    JSON_OPTION,
  ).run((id: string, options: ForkOptions) => forkRun(cli, id, options))
}

/** `tutti runs fork`: a new run that shares an earlier one up to the start of one job. */
async function forkRun(cli: Cli, id: string, options: ForkOptions): Promise<ExitCode> {
  const { from, turn, json = false, trace = false, question, systemPrompt, model, context } = options
  if (question?.trim() === '') throw new TuttiError('InvalidRequest', 'The question is empty.')
  const changes: ForkChanges = {
    ...(question === undefined ? {} : { question: question.trim() }),
    ...omitUndefined({ systemPrompt, models: model, context, turn }),
  }
  return withRunApp(cli, options, async (app) => {
    const { runId, question: asked } = await findRun(app.runs, id)
    await assertSources(cli, app, runId, options)
    assertModels(app, model ?? {})
    const forkId = await app.runs.fork(runId, from, changes)
    const isOther = changes.question !== undefined && changes.question !== asked
    const how = isOther ? 'with another question, planned from the beginning' : `from "${safeLine(from)}"`
    cli.err.line(`Run ${shortId(forkId)} is a fork of ${shortId(runId)} ${how}.`)
    return followRun(cli, app, forkId, { json, trace })
  })
}

interface DeleteOptions extends JsonOption, YesOption {
  readonly all?: boolean
}

/** `tutti runs delete`: all of those named, or none when one of them is not there or not over. */
function addRunsDelete({ root, cli, command }: Program): void {
  command(
    root,
    'delete',
    'delete finished runs with their steps, approvals and files',
    argument('[id...]', 'ids of runs; a prefix is enough'),
    option('--all', 'all finished runs'),
    YES_OPTION,
    JSON_OPTION,
  ).withApp(async (app, ids: readonly string[], { all = false, yes, json }: DeleteOptions) => {
    if (all === ids.length > 0) throw new TuttiError('InvalidRequest', 'Name the runs to delete, or use --all.')
    const runs = all ? await listFinishedRuns(app) : await findFinishedRuns(app, ids)
    const what = runs.length === 1 ? `run ${shortId(runs[0]!.runId)}` : `${runs.length} runs`
    if (runs.length > 0 && !(await askConfirmation(cli, { what: `Delete ${what}`, yes }))) return
    for (const { runId } of runs) await app.runs.delete(runId)
    if (json === true) printJson(cli, { deleted: runs.map(({ runId }) => runId) })
    if (runs.length === 0) cli.err.line('There are no runs to delete.')
    else if (json !== true) cli.err.line(`Deleted ${what}. Conversations and memory keep what they learned from it.`)
  })
}

async function findFinishedRuns({ runs }: App, ids: readonly string[]): Promise<readonly RunRecord[]> {
  const records = new Map<string, RunRecord>()
  for (const id of ids) {
    const record = await findRun(runs, id)
    const { runId, status } = record
    if (!isFinal(status)) {
      const message = `Run ${shortId(runId)} is not over. Cancel it first: tutti runs cancel ${shortId(runId)}`
      throw new TuttiError('RunConflict', message)
    }
    records.set(runId, record)
  }
  return [...records.values()]
}

/** Nested runs go with their parents, if these are there. */
async function listFinishedRuns({ runs }: App): Promise<readonly RunRecord[]> {
  const all = await runs.runs()
  const ids = new Set(all.map(({ runId }) => runId))
  return all.filter(({ status, parentId }) => isFinal(status) && (parentId === undefined || !ids.has(parentId)))
}

interface ExportOptions extends SourceOptions {
  readonly cassette: string
}

function addRunsExport({ root, cli, command }: Program): void {
  command(
    root,
    'export',
    'write a run as a cassette for "test"',
    ...SOURCE_OPTIONS,
    argument('<id>', RUN_ID),
    option('--cassette <file>', 'file to write', parsePath).makeOptionMandatory(),
  ).run((id: string, options: ExportOptions) => exportRun(cli, id, options))
}

/** `tutti runs export`: agents are described as the sources of the run make them; no source is asked. */
async function exportRun(cli: Cli, id: string, { cassette: file, ...options }: ExportOptions): Promise<void> {
  const { exportCassette } = await import('../../app/cassette/export.ts')
  return withRunApp(cli, options, async (app) => {
    const { runId } = await findRun(app.runs, id)
    await assertSources(cli, app, runId, options)
    const [events, agents] = await Promise.all([app.runs.events(runId), app.team()])
    const cassette = await exportCassette(events, { agents, models: app.models })
    await writeOutputFile(cli, file, `${JSON.stringify(cassette, null, 2)}\n`)
    cli.err.line(`Wrote run ${shortId(runId)} to ${file}. It holds its prompts and results; secrets are masked.`)
  })
}
