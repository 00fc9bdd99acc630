import type { App } from '../app.ts'
import { TuttiError } from '../core/errors.ts'
import { isQuestion } from '../core/question.ts'
import type { Cli } from './cli.ts'
import { SAVE_TEAM, teamIn } from '../agents/teams/tools.ts'
import { canAsk, prompted } from './prompt.ts'
import { indent, safeLine, safeText, withHiddenShown } from './render/text.ts'
import type { ApprovalRequest } from '../core/shown.ts'
import type { Style } from './render/style.ts'
import { teamText } from './render/team.ts'
import { duration } from './render/units.ts'

export interface ApprovalDesk {
  /** While a question is on the screen, nothing else may be written. */
  readonly isAsking: boolean
  /** Puts a request before the person at the terminal, or says how to decide elsewhere. */
  request(event: ApprovalRequest): void
  /** The request was decided, here or elsewhere, or its time is up. */
  decided(approvalId: string): void
  /** Takes back what is on the screen. */
  close(): Promise<void>
}

export interface DeskOptions {
  /** Called before something is written, so that a drawn line does not get in between. */
  readonly beforeWrite: () => void
  /** Ctrl-C at a prompt, which the terminal does not make a signal of. */
  readonly onInterrupt: () => void
}

/** Asks about one call at a time, in the order of their requests. */
export function createApprovalDesk(cli: Cli, app: App, options: DeskOptions): ApprovalDesk {
  const open = new Map<string, AbortController>()
  let queue: Promise<void> = Promise.resolve()
  return {
    get isAsking() {
      return open.size > 0
    },
    request(event) {
      options.beforeWrite()
      if (!canAsk(cli)) {
        printRequest(cli, event)
        return cli.err.line(`Decide with: ${decisions(cli, event)}`)
      }
      const patience = new AbortController()
      open.set(event.approvalId, patience)
      queue = queue.then(() => decide(cli, app, event, patience.signal, options)).catch(reportTo(cli))
    },
    decided(approvalId) {
      open.get(approvalId)?.abort()
      open.delete(approvalId)
    },
    async close() {
      for (const patience of open.values()) patience.abort()
      await queue
    },
  }
}

/** What people are shown of a call that waits. */
type Shown = Pick<ApprovalRequest, 'tool' | 'reason' | 'payload' | 'expiresAt'>

/** Tool, reason and the exact payload of a call that waits. The reason names what comes from outside. */
export function printRequest(cli: Cli, { tool, reason, payload, expiresAt }: Shown, out = cli.err): void {
  const { style } = out
  const left = expiresAt - cli.clock.now()
  const isCall = !isQuestion({ tool })
  out.line(style.bold(isCall ? `Approval needed: ${safeLine(tool)}` : 'A question to you'))
  out.line(`  ${safeLine(withHiddenShown(reason))}`)
  // Every line end that is seen is one of the payload.
  out.write(`${indent(bodyOf(tool, payload, style))}\n`)
  out.line(style.dim(left > 0 ? `  Open for ${duration(left)}.` : '  It has expired.'))
}

/** All of what is asked for: a team as a person reads it, any other call as it would be made. */
function bodyOf(tool: string, payload: unknown, style: Style): string {
  const team = tool === SAVE_TEAM.name ? teamIn(payload) : undefined
  if (team !== undefined) return teamText(team, style)
  const text = isQuestion({ tool }) ? questionIn(payload) : (JSON.stringify(payload, null, 2) ?? 'null')
  return safeText(withHiddenShown(text))
}

function questionIn(payload: unknown): string {
  const isGiven = typeof payload === 'object' && payload !== null && 'question' in payload
  return isGiven ? String(payload.question) : JSON.stringify(payload)
}

/** The commands that decide, to be pasted. */
export function decisions(
  { self }: Pick<Cli, 'self'>,
  { approvalId, tool }: Pick<ApprovalRequest, 'approvalId' | 'tool'>,
): string {
  if (isQuestion({ tool })) {
    return `${self} approvals answer ${approvalId} "your words"   or: ${self} approvals deny ${approvalId}`
  }
  return `${self} approvals approve ${approvalId}   or: ${self} approvals deny ${approvalId}`
}

async function decide(
  cli: Cli,
  app: App,
  event: ApprovalRequest,
  signal: AbortSignal,
  { onInterrupt }: DeskOptions,
): Promise<void> {
  if (signal.aborted) return
  printRequest(cli, event)
  if (isQuestion(event)) return answer(cli, app, event, signal, onInterrupt)
  const options = [
    { value: 'denied', label: 'No' },
    { value: 'approved', label: 'Yes, exactly as shown' },
    { value: 'changed', label: 'Change it: tell the agent how; you are asked again' },
  ]
  const choice = await prompted(cli, ({ select }, io) => select({ ...io, message: 'Allow it?', options }), signal)
  if (signal.aborted) return cli.err.line('This was decided elsewhere, or it has expired.')
  if (choice === undefined) return onInterrupt()
  if (choice === 'approved') return app.runs.decide(event.approvalId, 'approved', 'user')
  const message = choice === 'denied' ? 'Why? (Enter for no reason)' : 'What should the agent do instead, or as well?'
  const validate = (typed = ''): string | undefined =>
    choice === 'changed' && typed.trim() === '' ? 'Write what it should do.' : undefined
  const said = await prompted(cli, ({ text }, io) => text({ ...io, message, validate }), signal)
  if (signal.aborted) return cli.err.line('This was decided elsewhere, or it has expired.')
  if (said === undefined) return onInterrupt()
  await app.runs.decide(event.approvalId, choice === 'denied' ? 'denied' : 'approved', 'user', said)
}

async function answer(
  cli: Cli,
  app: App,
  { approvalId }: ApprovalRequest,
  signal: AbortSignal,
  onInterrupt: () => void,
): Promise<void> {
  const message = 'Your answer (Enter to leave it unanswered)'
  const said = await prompted(cli, ({ text }, io) => text({ ...io, message }), signal)
  if (signal.aborted) return cli.err.line('This was answered elsewhere, or it has expired.')
  if (said === undefined) return onInterrupt()
  await app.runs.decide(approvalId, said.trim() === '' ? 'denied' : 'approved', 'user', said)
}

/** Too late, for instance; the run itself continues. */
function reportTo(cli: Cli): (thrown: unknown) => void {
  return (thrown) => {
    const message = TuttiError.isInstance(thrown) || thrown instanceof Error ? thrown.message : String(thrown)
    cli.err.line(cli.err.style.yellow(safeLine(message)))
  }
}
