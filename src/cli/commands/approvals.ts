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
import { findRun } from '../find-run.ts'
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
    .option('--run <id>', 'those of one run; the beginning of its id is enough')
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
    const of = run === undefined ? {} : { runId: (await findRun(app.runs, cli, run)).runId }
    const waiting = await app.runs.approvals({ ...of, status: 'pending' })
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

interface DecideOptions extends OutcomeOptions {
  readonly instructions?: string
}

/** `tutti approvals approve` and `deny`: decides on a call that waits, then continues the run. */
function decide(cli: Cli, choice: 'approved' | 'denied', id: string, options: DecideOptions): Promise<ExitCode> {
  const { json = false, trace = false, instructions } = options
  return withRun(cli, options, {
    async find(app) {
      const [approval] = await app.runs.approvals({ approvalId: await findApproval(cli, app, id) })
      return findRun(app.runs, cli, approval!.runId)
    },
    needsSources: (run) => !isOver(run),
    async work(app, { runId, lastSeq }) {
      const approvalId = await findApproval(cli, app, id)
      // Whoever decides here goes on with the run here.
      await app.engine.assertCast(runId)
      await app.runs.decide(approvalId, choice, 'user', instructions)
      return followRun(cli, app, runId, { json, trace, afterSeq: lastSeq })
    },
  })
}

/** By the approval's own id, or by its run's when that waits for one decision only. */
async function findApproval(cli: Cli, app: App, id: string): Promise<string> {
  const exact = await app.runs.approvals({ approvalId: id })
  if (exact.length > 0) return id
  const { runId } = await findRun(app.runs, cli, id.split('.', 1)[0]!).catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
    throw new TuttiError(
      'ApprovalNotPending',
      `There is no approval "${id}". List them with: ${cli.self} approvals list`,
    )
  })
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
