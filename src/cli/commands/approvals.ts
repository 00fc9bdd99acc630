import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { TuttiError } from '../../core/errors.ts'
import { shownApproval } from '../../core/shown.ts'
import type { ApprovalRecord } from '../../core/store.ts'
import { decisions, printRequest } from '../approval-desk.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { findRun, isMeant, isWithin, outermostOf } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { withApp } from '../open-app.ts'
import type { OutcomeOptions } from '../option-values.ts'
import { age, shortId } from '../render/units.ts'
import { jsonOption, traceOption, withSources } from '../shared-options.ts'
import { isOver, withRun } from '../with-run.ts'

export function addApprovals(program: Program): void {
  const { cli, run } = program
  const group = program.root.command('approvals').description('see and decide on calls that wait for your approval')
  group
    .command('list')
    .description('list the calls that wait, with exactly what they would do and where it comes from')
    .option('--run <id>', 'those of one run and of those nested in it; the beginning of its id is enough')
    .addOption(jsonOption())
    .action(run((options: ListOptions) => listApprovals(cli, options)))
  for (const [name, choice, description, said] of [
    [
      'approve',
      'approved',
      'allow a call that waits for approval, and continue its run',
      'what the agent should do as well or instead; it starts again, and asks again if the call changes',
    ],
    ['deny', 'denied', 'refuse a call that waits for approval, and continue its run', 'why; the answer says it'],
  ] as const) {
    withSources(group.command(name))
      .description(description)
      .argument('<id>', 'id of the approval, or of a run that waits for one')
      .option('--instructions <text>', said)
      .addOption(traceOption())
      .addOption(jsonOption())
      .action(run((id: string, options: DecideOptions) => decide(cli, choice, id, options)))
  }
  addAnswer(program, group)
}

function addAnswer({ cli, run }: Program, group: Command): void {
  withSources(group.command('answer'))
    .description('answer a question that a run puts to you, and continue it')
    .argument('<id>', 'id of the question, or of a run that waits for one')
    .argument('<words...>', 'your answer')
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(
      run((id: string, words: string[], options: DecideOptions) =>
        decide(cli, 'approved', id, { ...options, instructions: words.join(' ') }),
      ),
    )
}

interface ListOptions {
  readonly run?: string
  readonly json?: boolean
}

/** `tutti approvals list`: the user's own calls that wait, oldest first. */
async function listApprovals(cli: Cli, { run, json }: ListOptions): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const of = run === undefined ? undefined : await findRun(app.runs, cli, run)
    const waiting = await waitingIn(app, of?.runId)
    if (json === true) printJson(cli, { approvals: waiting.map(shownApproval) })
    else if (waiting.length === 0) cli.err.line('Nothing waits for approval.')
    else for (const approval of waiting) print(cli, approval)
  })
}

function print(cli: Cli, approval: ApprovalRecord): void {
  const { runId, key, requestedAt } = approval
  const { out } = cli
  printRequest(cli, approval, out)
  out.line(out.style.dim(`  Task ${key} of run ${shortId(runId)}, ${age(cli.clock.now() - requestedAt)}.`))
  out.line(`  ${decisions(cli, approval)}`)
}

/** The user's own that wait; of one run, also those of runs nested in it. */
async function waitingIn({ runs }: App, runId?: string): Promise<readonly ApprovalRecord[]> {
  const pending = await runs.approvals({ status: 'pending' })
  return runId === undefined ? pending : pending.filter((approval) => isWithin(approval.runId, runId))
}

interface DecideOptions extends OutcomeOptions {
  readonly instructions?: string
}

/** `tutti approvals approve` and `deny`: decides on a call that waits, then continues the run. */
function decide(cli: Cli, choice: 'approved' | 'denied', id: string, options: DecideOptions): Promise<ExitCode> {
  const { json = false, trace = false, instructions } = options
  return withRun(cli, options, {
    // What waits within a nested run is what the one above it waits for.
    find: async (app) => outermostOf(app.runs, (await app.runs.run((await findApproval(cli, app, id)).runId))!),
    needsSources: (run) => !isOver(run),
    async work(app, { runId, lastSeq }) {
      const approval = await findApproval(cli, app, id)
      // Whoever decides here goes on with the run here.
      await app.engine.assertCast(runId)
      await app.engine.assertCast(approval.runId)
      await app.runs.decide(approval.approvalId, choice, 'user', instructions)
      const isNested = approval.runId !== runId
      const following = followRun(cli, app, runId, { json, trace, afterSeq: lastSeq })
      const [code] = await Promise.all([following, isNested ? goOn(app, runId) : undefined])
      return code
    },
  })
}

/** Takes up a run that waits for one nested in it, unless another process has it. */
async function goOn({ runs }: App, runId: string): Promise<void> {
  await runs.resume(runId).catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunConflict')) throw thrown
  })
}

/** By the approval's own id, or by its run's when that, and what is nested in it, waits for one decision only. */
async function findApproval(cli: Cli, app: App, id: string): Promise<ApprovalRecord> {
  const [exact] = await app.runs.approvals({ approvalId: id })
  if (exact !== undefined) return exact
  const ofRun = await findRun(app.runs, cli, id).catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
    return undefined
  })
  const pending =
    ofRun === undefined
      ? (await waitingIn(app)).filter(({ approvalId }) => isMeant(approvalId, id))
      : await waitingIn(app, ofRun.runId)
  if (pending.length === 1) return pending[0]!
  const ids = pending.map(({ approvalId }) => approvalId).join(', ')
  const none =
    ofRun === undefined ? `There is no approval "${id}"` : `Run ${shortId(ofRun.runId)} waits for no approval`
  throw new TuttiError(
    'ApprovalNotPending',
    ids === ''
      ? `${none}. List them with: ${cli.self} approvals list`
      : `${pending.length} approvals wait there; name one of: ${ids}.`,
  )
}
