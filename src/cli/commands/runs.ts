import type { RunId } from '../../core/events.ts'
import type { RunRecord } from '../../core/store.ts'
import type { ForkChanges } from '../../engine/run/fork.ts'
import type { App } from '../../app.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { followRun, printOutcome } from '../follow.ts'
import { assertModels } from '../models-named.ts'
import { withApp } from '../open-app.ts'
import type { SourceOptions } from '../option-values.ts'
import { renderTable } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { isOver, withRun } from '../with-run.ts'

export interface OutcomeOptions extends SourceOptions {
  readonly json?: boolean
  readonly trace?: boolean
}

/** `tutti runs list`: newest first. */
export async function listRuns(
  cli: Cli,
  globals: GlobalOptions,
  { limit, json }: { readonly limit: number; readonly json?: boolean },
): Promise<ExitCode> {
  return withApp(cli, globals, {}, async (app) => {
    const runs = await app.runs.runs({ limit })
    const now = cli.clock.now()
    if (json === true) printJson(cli, { runs: runs.map(summaryOf) })
    else if (runs.length === 0) cli.err.line('There are no runs yet. Start one with: tutti ask "…"')
    else cli.out.line(listText(cli, runs, now))
    return EXIT.ok
  })
}

/** A run as one object of a list; times are ISO 8601. */
export function summaryOf({ runId, status, strategy, question, parentId, createdAt, updatedAt }: RunRecord) {
  return {
    runId,
    status,
    strategy,
    question,
    ...(parentId === undefined ? {} : { parentId }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function listText(cli: Cli, runs: readonly RunRecord[], now: number): string {
  const rows = runs.map((run) => ({
    id: shortId(run.runId),
    status: statusText(run, now),
    age: age(now - run.createdAt),
    question: run.question,
  }))
  const { bold, dim } = cli.out.style
  const columns = ['id', 'status', 'age', 'question']
  const layout = { width: cli.out.width(), maxRows: Infinity, bold, dim }
  return renderTable({ columns, rows, rowCount: rows.length }, layout)
}

/** A run that says "running" while nobody holds it was cut off. */
export function statusText({ status, worker, leaseUntil = 0 }: RunRecord, now: number): string {
  return status === 'running' && (worker === undefined || leaseUntil <= now) ? 'interrupted' : status
}

/** `tutti runs resume`: goes on with a run and prints what comes of it, or what came of it. */
export async function resumeRun(
  cli: Cli,
  globals: GlobalOptions,
  id: string,
  options: OutcomeOptions,
): Promise<ExitCode> {
  const { json = false, trace = false } = options
  return withRun(cli, globals, options, {
    find: (app) => findRun(app.runs, id),
    needsSources: (run) => !isOver(run),
    async work(app, run) {
      const { runId, status, lastSeq } = run
      if (isOver(run)) {
        cli.err.line(`Run ${shortId(runId)} is ${status} already; there is nothing left to do.`)
        return printOutcome(cli, await app.runs.events(runId), { json, trace })
      }
      return goOn(cli, app, runId, { json, trace, afterSeq: lastSeq })
    },
  })
}

/** Works on an unfinished run in this process and shows it. A live run of another process is an error. */
async function goOn(
  cli: Cli,
  app: App,
  runId: RunId,
  options: { readonly json: boolean; readonly trace: boolean; readonly afterSeq: number },
): Promise<ExitCode> {
  const working = app.runs.resume(runId)
  // Rejects first when another process has the run; else the run's own end decides.
  const [code] = await Promise.all([followRun(cli, app, runId, options), working])
  return code
}

/** `tutti runs cancel`: also a run that another process works on. Waits until it has ended. */
export async function cancelRun(cli: Cli, globals: GlobalOptions, id: string): Promise<ExitCode> {
  return withApp(cli, globals, {}, async (app) => {
    const { runId } = await findRun(app.runs, id)
    await app.runs.cancel(runId, 'user')
    const { status } = await app.runs.outcome(runId)
    cli.err.line(`Run ${shortId(runId)} is ${status}.`)
    return EXIT.ok
  })
}

export interface ForkOptions extends OutcomeOptions {
  readonly from: string
  readonly question?: string
  readonly systemPrompt?: string
  readonly model?: Readonly<Record<string, string>>
  readonly context?: Readonly<Record<string, string>>
}

/** `tutti runs fork`: a new run that shares an earlier one up to the start of one job. */
export async function forkRun(cli: Cli, globals: GlobalOptions, id: string, options: ForkOptions): Promise<ExitCode> {
  const { from, json = false, trace = false, question, systemPrompt, model, context } = options
  if (question?.trim() === '') throw new TuttiError('InvalidRequest', 'The question is empty.')
  const changes: ForkChanges = {
    ...(question === undefined ? {} : { question: question.trim() }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(model === undefined ? {} : { models: model }),
    ...(context === undefined ? {} : { context }),
  }
  return withRun(cli, globals, options, {
    find: (app) => findRun(app.runs, id),
    needsSources: () => true,
    async work(app, { runId }) {
      assertModels(app, model ?? {})
      const forkId = await app.runs.fork(runId, from, changes)
      cli.err.line(`Run ${shortId(forkId)} is a fork of ${shortId(runId)} from "${safeLine(from)}".`)
      return followRun(cli, app, forkId, { json, trace })
    },
  })
}

export interface DecideOptions extends OutcomeOptions {
  readonly instructions?: string
}

/** `tutti runs approve` and `deny`: decides on a call that waits, then goes on with the run. */
export async function decideApproval(
  cli: Cli,
  globals: GlobalOptions,
  choice: 'approved' | 'denied',
  id: string,
  options: DecideOptions,
): Promise<ExitCode> {
  const { json = false, trace = false, instructions } = options
  return withRun(cli, globals, options, {
    async find(app) {
      const [approval] = await app.runs.approvals({ approvalId: await findApproval(app, id) })
      return findRun(app.runs, approval!.runId)
    },
    needsSources: (run) => !isOver(run),
    async work(app, { runId, lastSeq }) {
      const approvalId = await findApproval(app, id)
      await app.runs.decide(approvalId, choice, 'user', instructions)
      return followRun(cli, app, runId, { json, trace, afterSeq: lastSeq })
    },
  })
}

/** By the approval's own id, or by its run's when that waits for one decision only. */
async function findApproval(app: App, id: string): Promise<string> {
  const exact = await app.runs.approvals({ approvalId: id })
  if (exact.length > 0) return id
  const { runId } = await findRun(app.runs, id.split('.', 1)[0]!)
  const pending = (await app.runs.approvals({ runId, status: 'pending' })).filter((approval) =>
    approval.approvalId.startsWith(id.includes('.') ? id : runId),
  )
  if (pending.length === 1) return pending[0]!.approvalId
  const ids = pending.map((approval) => approval.approvalId).join(', ')
  throw new TuttiError(
    'ApprovalNotPending',
    pending.length === 0
      ? `Run ${shortId(runId)} waits for no approval.`
      : `Run ${shortId(runId)} waits for ${pending.length} approvals; name one of: ${ids}.`,
  )
}
