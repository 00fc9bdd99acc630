import type { App } from '../../app/user-app.ts'
import { APPROVAL_SCOPES, type ApprovalScope } from '../../domain/approvals.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { pluralize } from '../../shared/pluralize.ts'
import { approvalView } from '../../domain/run-view.ts'
import { isFinal, type ApprovalRecord } from '../../domain/store.ts'
import { decisions, printRequest } from '../approval-desk.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { findRun, matchesId, isWithin, outermostOf } from '../find-run.ts'
import { followRun } from '../follow.ts'
import type { OutcomeOptions } from '../option-values.ts'
import { canAsk } from '../prompt.ts'
import { safeLine } from '../render/text.ts'
import { age, shortId } from '../render/units.ts'
import { withRunApp } from './served-demo.ts'
import { assertSources } from '../assert-options.ts'
import { argument, option, JSON_OPTION, TRACE_OPTION, SOURCE_OPTIONS } from '../shared-options.ts'
import { readJsonInput } from '../text-files.ts'

export function addApprovals({ root, cli, command }: Program): void {
  const group = root.command('approvals').description('list, approve and deny calls that wait for approval')
  command(
    group,
    'list',
    'list pending calls with their exact input and its origin',
    option('--run <id>', 'only of this run and its nested runs; a prefix of the id is enough'),
    JSON_OPTION,
  ).withApp(async (app, { run: id, json }: JsonOption & { readonly run?: string }) => {
    const run = id === undefined ? undefined : await findRun(app.runs, id)
    const waiting = await pendingApprovals(app, run?.runId)
    if (json === true) printJson(cli, { approvals: waiting.map(approvalView) })
    else if (waiting.length === 0) cli.err.line('No calls wait for approval.')
    else for (const approval of waiting) printApproval(cli, approval)
  })
  for (const [name, choice, description, instructions] of [
    [
      'approve',
      'approved',
      'allow a call that waits for approval, and continue its run',
      'what the agent should do as well or instead; it starts again, and asks again if the call changes',
    ],
    ['deny', 'denied', 'deny a pending call and continue its run', 'the reason, which the answer mentions'],
  ] as const) {
    const approvalOptions = [
      option('--scope <scope>', 'what is approved besides this call').choices(APPROVAL_SCOPES),
      option('--edit <file>', 'JSON file with the input to use instead'),
    ]
    command(
      group,
      name,
      description,
      ...SOURCE_OPTIONS,
      argument('<id>', 'id of the approval, or of its run'),
      option('--instructions <text>', instructions),
      ...(choice === 'approved' ? approvalOptions : []),
      TRACE_OPTION,
      JSON_OPTION,
    ).run((id: string, options: DecideOptions) => decide(cli, choice, id, options))
  }
  command(
    group,
    'answer',
    'answer a question of a run and continue the run',
    ...SOURCE_OPTIONS,
    argument('<id>', 'id of the question, or of its run'),
    argument('<words...>', 'your answer'),
    TRACE_OPTION,
    JSON_OPTION,
  ).run((id: string, words: string[], options: DecideOptions) =>
    decide(cli, 'approved', id, { ...options, instructions: words.join(' ') }),
  )
  command(group, 'standing', 'list approvals that cover later calls', JSON_OPTION).withApp(
    async ({ runs }, { json }: JsonOption) => {
      const approvals = await runs.approvals({ isStanding: true })
      if (json === true) return printJson(cli, { approvals: approvals.map(approvalView) })
      if (approvals.length === 0) return cli.err.line('No approval covers later calls.')
      for (const { approvalId, tool, destination = '', scope, decidedBy, decidedAt = 0 } of approvals) {
        const given = `by ${decidedBy}, ${age(cli.clock.now() - decidedAt)}`
        cli.out.line(safeLine(`${approvalId}  ${tool} to ${destination} (${scope}), ${given}`))
      }
    },
  )
  command(
    group,
    'revoke',
    'revoke an approval that covers later calls',
    argument('<id>', 'id of the approval'),
  ).withApp(({ runs }, id: string) => runs.revokeApproval(id, 'user'))
}

function printApproval(cli: Cli, approval: ApprovalRecord): void {
  const { runId, key, requestedAt } = approval
  const { out } = cli
  printRequest(cli, approval, out)
  out.line(out.style.dim(`  Task ${key} of run ${shortId(runId)}, ${age(cli.clock.now() - requestedAt)}.`))
  out.line(`  ${decisions(approval)}`)
}

/** The user's pending approvals; for one run, including nested runs. */
async function pendingApprovals({ runs }: App, runId?: string): Promise<readonly ApprovalRecord[]> {
  const pending = await runs.approvals({ status: 'pending' })
  return runId === undefined ? pending : pending.filter((approval) => isWithin(approval.runId, runId))
}

interface DecideOptions extends OutcomeOptions {
  readonly instructions?: string
  readonly scope?: ApprovalScope
  readonly edit?: string
}

/**
 * `tutti approvals approve` and `deny`: decides on a call that waits, then continues the run. Where other calls of the run
 * wait and nobody can be asked here, it returns once the run cannot continue without them.
 */
function decide(cli: Cli, choice: 'approved' | 'denied', id: string, options: DecideOptions): Promise<ExitCode> {
  const { json = false, trace = false, instructions, scope, edit } = options
  return withRunApp(cli, options, async (app) => {
    const approval = await findApproval(app, id)
    // What waits within a nested run is what the one above it waits for.
    const { runId, lastSeq, status } = await outermostOf(app.runs, (await app.runs.run(approval.runId))!)
    if (!isFinal(status)) await assertSources(cli, app, runId, options)
    // After the decision, the run continues in this process.
    await app.engine.assertCast(runId)
    await app.engine.assertCast(approval.runId)
    const payload = edit === undefined ? undefined : await readJsonInput(cli, edit)
    await app.runs.decide(approval.approvalId, choice, app.runs.owner, instructions, omitUndefined({ scope, payload }))
    if (!canAsk(cli) && (await pendingApprovals(app, runId)).length > 0) {
      await Promise.all([...new Set([approval.runId, runId])].map((id) => resumeRun(app, id)))
      const waiting = await pendingApprovals(app, runId)
      if (waiting.length > 0) return printWaiting(cli, runId, waiting, json)
    }
    const isNested = approval.runId !== runId
    const following = followRun(cli, app, runId, { json, trace, afterSeq: lastSeq })
    const [code] = await Promise.all([following, isNested ? resumeRun(app, runId) : undefined])
    return code
  })
}

function printWaiting(cli: Cli, runId: string, waiting: readonly ApprovalRecord[], json: boolean): ExitCode {
  if (json) printJson(cli, { approvals: waiting.map(approvalView) })
  else {
    const count = pluralize(waiting.length, 'more decision')
    cli.err.line(`The decision is recorded. Run ${shortId(runId)} waits for ${count}:`)
    for (const approval of waiting) printApproval(cli, approval)
  }
  return EXIT.ok
}

/** Takes up a run that waits for one nested in it, unless another process has it. */
async function resumeRun({ runs }: App, runId: string): Promise<void> {
  await runs.resume(runId).catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunConflict')) throw thrown
  })
}

/** Finds an approval by its own ID, or by a run's ID if the run and its nested runs wait for only one decision. */
async function findApproval(app: App, id: string): Promise<ApprovalRecord> {
  const [exact] = await app.runs.approvals({ approvalId: id })
  if (exact !== undefined) return exact
  const ofRun = await findRun(app.runs, id).catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'RunNotFound')) throw thrown
    return undefined
  })
  const pending =
    ofRun === undefined
      ? (await pendingApprovals(app)).filter(({ approvalId }) => matchesId(approvalId, id))
      : await pendingApprovals(app, ofRun.runId)
  if (pending.length === 1) return pending[0]!
  const ids = pending.map(({ approvalId }) => approvalId).join(', ')
  const none =
    ofRun === undefined ? `There is no approval "${id}"` : `Run ${shortId(ofRun.runId)} waits for no approval`
  throw new TuttiError(
    'ApprovalNotPending',
    ids === ''
      ? `${none}. List them with: tutti approvals list`
      : `${pending.length} approvals wait there; name one of: ${ids}.`,
  )
}
