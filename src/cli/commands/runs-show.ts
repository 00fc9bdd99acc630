import { isOver, fold, type RunState } from '../../domain/state.ts'
import type { RunEvent } from '../../domain/events.ts'
import { strategyOf } from '../../domain/response.ts'
import { openApprovals, responseWith, runDetailView } from '../../domain/run-view.ts'
import type { ApprovalRecord, RunRecord } from '../../domain/store.ts'
import { decisions, printRequest } from '../approval-desk.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun, isWithin } from '../find-run.ts'
import { printResponse } from '../render/response.ts'
import { printList } from '../render/table.ts'
import { safeLine } from '../render/text.ts'
import { age, duration, shortId, usageText } from '../render/units.ts'
import { argument, RUN_ID, JSON_OPTION, TRACE_OPTION } from '../shared-options.ts'

/** `tutti runs show`: plan, jobs, results and open approvals of one run. */
export function addRunsShow({ root, cli, command }: Program): void {
  command(
    root,
    'show',
    'show the plan, jobs, results and pending approvals of a run',
    argument('<id>', RUN_ID),
    TRACE_OPTION,
    JSON_OPTION,
  ).withApp(async ({ runs }, id: string, { json, trace = false }: JsonOption & { readonly trace?: boolean }) => {
    const record = await findRun(runs, id)
    const events = await runs.events(record.runId)
    if (json === true) return printJson(cli, runDetailView(record, events, trace))
    const below = (await runs.approvals({ status: 'pending' })).filter(
      ({ runId }) => runId !== record.runId && isWithin(runId, record.runId),
    )
    print(cli, { record, events, state: fold(events), below }, trace)
  })
}

interface ShownRun {
  readonly record: RunRecord
  readonly events: readonly RunEvent[]
  readonly state: RunState
  /** What waits in runs nested in this one. */
  readonly below: readonly ApprovalRecord[]
}

function print(cli: Cli, { record, events, state, below }: ShownRun, trace: boolean): void {
  const { out } = cli
  const now = cli.clock.now()
  const status = runStatusText(record, now)
  out.line(`${out.style.bold(`Run ${record.runId}`)}  ${status}, ${age(now - record.createdAt)}`)
  for (const line of headLines(state)) out.line(safeLine(line))
  if (state.jobs.size > 0) printJobs(cli, state)
  for (const request of [...openApprovals(events, state), ...below]) {
    cli.err.line()
    printRequest(cli, request)
    cli.err.line(`  ${decisions(request)}`)
  }
  out.line()
  printResponse(cli, responseWith(events, trace), { trace })
}

/** Put into every context by Tutti itself. */
const TEMPORAL = /^current_date(?:time_utc|_start_hour|_end_hour)?$/

function headLines(state: RunState): string[] {
  const { request, plan, forkOf, children } = state
  const context = Object.entries(request.context).flatMap(([key, value]) =>
    TEMPORAL.test(key) ? [] : [`${key}=${textOf(value)}`],
  )
  const agents = plan?.plan.tasks.map(({ id, agent }) => (id === agent ? agent : `${id} (${agent})`)).join(', ')
  const confidence = plan?.confidence === undefined ? '' : `, confidence ${plan.confidence}`
  return [
    `Question  ${request.question}`,
    `Strategy  ${strategyOf(state)}`,
    ...(context.length === 0 ? [] : [`Context   ${context.join(', ')}`]),
    ...(forkOf === undefined ? [] : [`Fork of   ${forkOf.runId} from ${forkOf.key}`]),
    ...(children.size === 0 ? [] : [`Nested    ${[...children.values()].map(shortId).join(', ')}`]),
    ...(plan === undefined
      ? []
      : [`Plan      ${agents || 'no agent'} (by ${plan.by}${confidence}): ${plan.rationale}`]),
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function printJobs({ out }: Cli, state: RunState): void {
  out.line()
  const rows = [...state.jobs.values()].map(({ key, actor, status, attempt, result }) => ({
    job: key,
    actor,
    status: result === undefined && isOver(state) ? 'stopped' : status,
    attempt,
    time: result === undefined ? '' : duration(result.latencyMs),
    models: result?.usage === undefined ? '' : usageText(result.usage),
  }))
  printList(out, ['job', 'actor', 'status', 'attempt', 'time', 'models'], rows)
}

/** A run with the status "running" and no lease was interrupted. */
export function runStatusText({ status, worker, leaseUntil = 0 }: RunRecord, now: number): string {
  return status === 'running' && (worker === undefined || leaseUntil <= now) ? 'interrupted' : status
}
