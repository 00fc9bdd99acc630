import type { App } from '../app/user-app.ts'
import { sleep } from '../shared/clock.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { RunEvent, RunId } from '../domain/events.ts'
import { responseWith, type ApprovalRequest } from '../domain/run-view.ts'
import { fold, type RunState } from '../domain/state.ts'
import type { LiveItem } from '../engine/readers/live.ts'
import { createApprovalDesk, type ApprovalDesk } from './approval-desk.ts'
import type { Cli } from './cli.ts'
import { isWithin } from './find-run.ts'
import { exitCodeOfResponse, type ExitCode } from './exit-codes.ts'
import { printJson } from './failure.ts'
import { cancelOnInterrupt } from './interrupt.ts'
import { AnswerStream } from './render/answer-stream.ts'
import { ProgressLines } from './render/progress-lines.ts'
import { printResponse } from './render/response.ts'
import { safeLine } from './render/text.ts'

export interface FollowOptions {
  readonly json: boolean
  readonly trace: boolean
  /** Whether the command continues after the run, so that Ctrl-C does not end it. */
  readonly isPart?: boolean
  /** Sequence number of the last known event; later events are shown. Default: 0. */
  readonly afterSeq?: number
}

/** Shows a run until it ends, asks for approvals and prints the result. Ctrl-C cancels it. */
export async function followRun(cli: Cli, app: App, runId: RunId, options: FollowOptions): Promise<ExitCode> {
  const lines = new ProgressLines()
  const answer = new AnswerStream(cli.out)
  const interrupts = cancelOnInterrupt(cli, () => {
    answer.endLine()
    app.runs.cancel(runId, 'user').catch(reportCancelError(cli))
  })
  const shownSeq = options.afterSeq ?? 0
  const earlier = await app.runs.events(runId)
  const history = earlier.filter(({ seq }) => seq <= shownSeq)
  // Later lines name the agents and questions of these.
  for (const event of history) lines.take(event)
  const below = new AbortController()
  const state = fold(earlier)
  const desk = createApprovalDesk(cli, app, {
    beforeWrite: () => answer.endLine(),
    onInterrupt: interrupts.press,
    hasOwnSources: state.request.ownSources !== undefined,
  })
  try {
    const asked = history.filter(isRequest)
    for (const request of openRequests(asked, state, cli.clock.now())) desk.request(request)
    for (const child of state.children.values()) followChild(cli, app, child, desk, below.signal).catch(NOT_FOLLOWED)
    // Another process may continue the run after a decision, and end in the middle of it.
    await app.engine.work(async (run) => isWithin(run.runId, runId))
    const screen = { lines, err: cli.err, answer, streams: cli.out.isTty && !options.json }
    const buffered: LiveItem[] = [...asked]
    for await (const item of app.runs.stream(runId, { afterSeq: shownSeq })) {
      if (item.type === 'approval.requested') desk.request(item)
      if (item.type === 'approval.decided') desk.decided(item.approvalId)
      if (item.type === 'child.started' && !state.children.has(item.path)) {
        followChild(cli, app, item.childId, desk, below.signal).catch(NOT_FOLLOWED)
      }
      // Other jobs continue while one waits. Hold their lines back, so that they do not overwrite the question.
      buffered.push(item)
      if (desk.isAsking) continue
      for (const shown of buffered.splice(0)) showItem(shown, screen)
    }
    for (const shown of buffered) showItem(shown, screen)
  } finally {
    below.abort()
    answer.endLine()
    interrupts.runIsOver()
    if (options.isPart === true) interrupts.leave()
    await desk.close()
  }
  return printOutcome(cli, await app.runs.events(runId), { ...options, answer })
}

/** Asks the user for the approvals of nested runs, too, at any depth. */
async function followChild(cli: Cli, app: App, runId: RunId, desk: ApprovalDesk, signal: AbortSignal): Promise<void> {
  // The run ID is known before the run exists.
  while (!signal.aborted && (await app.runs.run(runId)) === undefined) await sleep(cli.clock, CHILD_MS, signal)
  const isOpen = async (id: string): Promise<boolean> =>
    (await app.runs.approvals({ runId, approvalId: id })).some(({ status }) => status === 'pending')
  for await (const item of app.runs.stream(runId, { signal })) {
    if (item.type === 'approval.requested' && (await isOpen(item.approvalId))) desk.request(item)
    if (item.type === 'approval.decided') desk.decided(item.approvalId)
    if (item.type === 'child.started') followChild(cli, app, item.childId, desk, signal).catch(NOT_FOLLOWED)
  }
}

const CHILD_MS = 100

/** Its approvals can be decided elsewhere, and the parent run reports how it ends. */
const NOT_FOLLOWED = (): undefined => undefined

interface Screen {
  readonly lines: ProgressLines
  readonly err: Cli['err']
  readonly answer: AnswerStream
  /** Whether the answer is streamed. */
  readonly streams: boolean
}

function showItem(item: LiveItem, { lines, err, answer, streams }: Screen): void {
  if (item.type === 'live.text' || item.type === 'answer.delta') {
    if (!streams) return
    answer.write(item.part, item.text)
    return
  }
  // Below a streamed answer, print only lines about changes to it.
  if (answer.hasBegun && !BREAKS_ANSWER.has(item.type)) return
  answer.endLine()
  const line = lines.take(item)
  if (line !== undefined) err.line(line)
}

const BREAKS_ANSWER: ReadonlySet<RunEvent['type']> = new Set([
  'job.retrying',
  'budget.exhausted',
  'approval.decided',
] as const)

function isRequest(event: RunEvent): event is ApprovalRequest {
  return event.type === 'approval.requested'
}

/**
 * The approvals still open, without those closed by a changed plan or by expiry, even if the engine has not yet
 * recorded that.
 */
function openRequests(asked: readonly ApprovalRequest[], { openApprovals, jobs }: RunState, now: number) {
  return asked.filter(
    ({ approvalId, expiresAt, key }) =>
      openApprovals.has(approvalId) && expiresAt > now && jobs.get(key)?.isOutdated !== true,
  )
}

/** Prints the result of a run. */
export function printOutcome(
  cli: Cli,
  events: readonly RunEvent[],
  { json, trace, answer }: FollowOptions & { readonly answer?: AnswerStream },
): ExitCode {
  const response = responseWith(events, trace)
  if (json) printJson(cli, response)
  else printResponse(cli, response, { trace, isShown: answer?.shows(response.answer) === true })
  return exitCodeOfResponse(response)
}

/** The run may have ended a moment earlier. */
function reportCancelError(cli: Cli): (thrown: unknown) => void {
  return (thrown) => {
    const error = toTuttiError(thrown)
    if (error.code !== 'RunConflict') cli.err.line(`It could not be cancelled: ${safeLine(error.message)}`)
  }
}
