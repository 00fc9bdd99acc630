import type { App } from '../../app.ts'
import type { ApprovalRecord } from '../../core/store.ts'
import { printRequest } from '../approvals.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { maskOf } from '../follow.ts'
import type { Mask } from '../mask.ts'
import { withApp } from '../open-app.ts'
import { age, shortId } from '../render/units.ts'

export interface ListApprovalsOptions {
  readonly run?: string
  readonly json?: boolean
}

/** `tutti approvals list`: the user's own calls that wait, oldest first. */
export async function listApprovals(
  cli: Cli,
  globals: GlobalOptions,
  { run, json }: ListApprovalsOptions,
): Promise<ExitCode> {
  return withApp(cli, globals, {}, async (app) => {
    const of = run === undefined ? {} : { runId: (await findRun(app.runs, run)).runId }
    const waiting = await app.runs.approvals({ ...of, status: 'pending' })
    const masks = await masksOf(app, waiting)
    if (json === true) {
      printJson(cli, { approvals: waiting.map((approval) => jsonOf(approval, masks.get(approval.runId)!)) })
    } else if (waiting.length === 0) cli.err.line('Nothing waits for approval.')
    else for (const approval of waiting) print(cli, approval, masks.get(approval.runId)!)
    return EXIT.ok
  })
}

/** What is secret in a payload is what was secret in its run's context. */
async function masksOf({ runs }: App, approvals: readonly ApprovalRecord[]): Promise<ReadonlyMap<string, Mask>> {
  const runIds = [...new Set(approvals.map(({ runId }) => runId))]
  return new Map(await Promise.all(runIds.map(async (id) => [id, maskOf(await runs.events(id))] as const)))
}

function jsonOf({ owner: _owner, path: _path, ...approval }: ApprovalRecord, mask: Mask) {
  const { requestedAt, expiresAt, ...about } = approval
  return { ...mask.value(about), requestedAt: iso(requestedAt), expiresAt: iso(expiresAt) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function print(cli: Cli, approval: ApprovalRecord, mask: Mask): void {
  const { approvalId, runId, key, requestedAt } = approval
  const { out } = cli
  printRequest(cli, approval, mask, out)
  out.line(out.style.dim(`  Task ${key} of run ${shortId(runId)}, ${age(cli.clock.now() - requestedAt)}.`))
  out.line(`  tutti approvals approve ${approvalId}   or: tutti approvals deny ${approvalId}`)
}
