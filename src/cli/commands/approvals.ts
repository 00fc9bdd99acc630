import type { ApprovalRecord } from '../../core/store.ts'
import { printRequest } from '../approvals.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
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
    if (json === true) printJson(cli, { approvals: waiting.map(jsonOf) })
    else if (waiting.length === 0) cli.err.line('Nothing waits for approval.')
    else for (const approval of waiting) print(cli, approval)
    return EXIT.ok
  })
}

function jsonOf({ owner: _owner, path: _path, ...approval }: ApprovalRecord) {
  const { requestedAt, expiresAt, ...about } = approval
  return { ...about, requestedAt: iso(requestedAt), expiresAt: iso(expiresAt) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function print(cli: Cli, approval: ApprovalRecord): void {
  const { approvalId, runId, key, requestedAt } = approval
  const { out } = cli
  printRequest(cli, approval, out)
  out.line(out.style.dim(`  Task ${key} of run ${shortId(runId)}, ${age(cli.clock.now() - requestedAt)}.`))
  out.line(`  tutti approvals approve ${approvalId}   or: tutti approvals deny ${approvalId}`)
}
