import type { App } from '../app/user-app.ts'
import { type ApprovalScope, isQuestion, questionText, type UserQuestion } from '../domain/approvals.ts'
import { stepOfPath } from '../domain/effects.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Cli } from './cli.ts'
import { SAVE_TEAM, teamInPayload } from '../agents/teams/tools.ts'
import { sleep } from '../shared/clock.ts'
import { canAsk, promptUser } from './prompt.ts'
import { indent, safeLine, safeText, escapeHidden } from './render/text.ts'
import type { ApprovalRequest } from '../domain/run-view.ts'
import type { Style } from './render/style.ts'
import { teamText } from './render/team.ts'
import { duration } from './render/units.ts'

export type ApprovalDesk = ReturnType<typeof createApprovalDesk>

export interface DeskOptions {
  /** Called before output is written, so that the answer does not mix with it. */
  readonly beforeWrite: () => void
  /** Called on Ctrl-C at a prompt, where the terminal sends no signal. */
  readonly onInterrupt: () => void
  /** Whether the run uses sources that the command line names. A later command needs them, too. */
  readonly hasOwnSources: boolean
}

/** Pending calls of one step. `changed` is aborted when their number changes. */
interface Card {
  readonly calls: ApprovalRequest[]
  changed: AbortController
}

/** Asks about one step at a time, in the order of the requests. */
export function createApprovalDesk(cli: Cli, app: App, options: DeskOptions) {
  const cards = new Map<string, Card>()
  let queue: Promise<void> = Promise.resolve()
  return {
    /** True while a question is shown; nothing else may be written then. */
    get isAsking(): boolean {
      return cards.size > 0
    },
    /** Asks the user at the terminal, or prints how to decide elsewhere. */
    request(event: ApprovalRequest): void {
      options.beforeWrite()
      if (!canAsk(cli)) {
        printRequest(cli, event)
        cli.err.line(`Decide with: ${decisions(event)}`)
        if (options.hasOwnSources) cli.err.line('Add the --db, --api, --mcp and --allow-host of this command.')
        return
      }
      const { runId, key, path, approvalId } = event
      const step = `${runId} ${stepOfPath(key, path) ?? approvalId}`
      const openCard = cards.get(step)
      if (openCard !== undefined) {
        openCard.calls.push(event)
        return openCard.changed.abort()
      }
      const card: Card = { calls: [event], changed: new AbortController() }
      cards.set(step, card)
      const decided = queue.then(() => decide(cli, app, card, options)).catch(errorReporter(cli))
      queue = decided.then(() => void cards.delete(step))
    },
    /** The request was decided, here or elsewhere, or has expired. */
    decided(approvalId: string): void {
      for (const card of cards.values()) if (remove(card, approvalId)) card.changed.abort()
    },
    /** Removes the prompt from the screen. */
    async close(): Promise<void> {
      for (const card of cards.values()) {
        card.calls.length = 0
        card.changed.abort()
      }
      await queue
    },
  }
}

function remove({ calls }: Card, approvalId: string): boolean {
  const at = calls.findIndex((call) => call.approvalId === approvalId)
  return at >= 0 && calls.splice(at, 1).length > 0
}

/** What people are shown of a call that waits. */
type ShownApproval = Pick<ApprovalRequest, 'tool' | 'reason' | 'payload' | 'expiresAt'>

/** Prints tool, reason and exact payload of a pending call. The reason names untrusted content. */
export function printRequest(cli: Cli, { tool, reason, payload, expiresAt }: ShownApproval, out = cli.err): void {
  const { style } = out
  const left = expiresAt - cli.clock.now()
  const isCall = !isQuestion({ tool })
  out.line(style.bold(isCall ? `Approval needed: ${safeLine(tool)}` : 'A question to you'))
  out.line(`  ${safeLine(escapeHidden(reason))}`)
  // Every line end that is seen is one of the payload.
  out.write(`${indent(payloadBody(tool, payload, style))}\n`)
  out.line(style.dim(left > 0 ? `  Open for ${duration(left)}.` : '  It has expired.'))
}

/** The full request: a team in readable form, any other call as JSON. */
function payloadBody(tool: string, payload: unknown, style: Style): string {
  const team = tool === SAVE_TEAM.name ? teamInPayload(payload) : undefined
  if (team !== undefined) return teamText(team, style)
  const text = isQuestion({ tool }) ? questionText(payload as UserQuestion) : payloadText(payload)
  return safeText(escapeHidden(text))
}

/** As JSON, but with line breaks in texts. Quotes stay escaped, so that no line can imitate a field. */
function payloadText(payload: unknown): string {
  const text = JSON.stringify(payload, null, 2) ?? 'null'
  return text.replaceAll(/^( *)(.*)$/gm, (_, margin: string, line: string) => {
    const below = `\n${margin}    `
    return margin + line.replaceAll(/(?:\\r)?\\n|\\./g, (escape) => (escape.endsWith('\\n') ? below : escape))
  })
}

/** The commands that decide, to be pasted. */
export function decisions({ approvalId, tool }: Pick<ApprovalRequest, 'approvalId' | 'tool'>): string {
  if (isQuestion({ tool })) {
    return `tutti approvals answer ${approvalId} "your words"   or: tutti approvals deny ${approvalId}`
  }
  return `tutti approvals approve ${approvalId}   or: tutti approvals deny ${approvalId}`
}

interface Decision {
  readonly choice: 'approved' | 'denied'
  readonly said?: string
  readonly scope?: ApprovalScope
}

/** Time in milliseconds to collect the requests of one step, which arrive shortly after one another. */
const COLLECT_MS = 50

type Choice = Decision | 'each' | undefined

async function decide(cli: Cli, app: App, card: Card, { onInterrupt }: DeskOptions): Promise<void> {
  let isEach = false
  await sleep(cli.clock, COLLECT_MS)
  while (card.calls.length > 0) {
    card.changed = new AbortController()
    const { signal } = card.changed
    const calls = isEach ? card.calls.slice(0, 1) : [...card.calls]
    for (const call of calls) printRequest(cli, call)
    const choice = await askChoice(cli, calls, signal)
    if (signal.aborted) {
      if (card.calls.length > 0) continue
      const done = isQuestion(calls[0]!) ? 'answered' : 'decided'
      cli.err.line(`This was ${done} elsewhere, or it has expired.`)
    } else if (choice === undefined) return onInterrupt()
    else if (choice === 'each') isEach = true
    else await submitDecision(cli, app, card, calls, choice)
  }
}

/** After one call is denied, the engine closes the other calls of its step. */
async function submitDecision(
  cli: Cli,
  app: App,
  card: Card,
  calls: readonly ApprovalRequest[],
  { choice, said, scope }: Decision,
): Promise<void> {
  const isLast = choice === 'denied' && calls.length > 1
  for (const { approvalId } of calls) {
    remove(card, approvalId)
    const decided = app.runs.decide(approvalId, choice, app.runs.owner, said, scope === undefined ? {} : { scope })
    await decided.catch(isLast && approvalId !== calls[0]!.approvalId ? () => undefined : errorReporter(cli))
  }
}

/** Returns undefined if the user leaves the prompt or the card changed. */
async function askChoice(cli: Cli, calls: readonly ApprovalRequest[], signal: AbortSignal): Promise<Choice> {
  const [event] = calls
  const isTogether = calls.length > 1
  if (isQuestion(event!)) return answer(cli, event!.payload as UserQuestion, signal)
  const [scope = 'once'] = event!.scopes ?? []
  const wider = { value: 'wider', label: safeLine(`Yes, and further calls to ${event!.destination} (${scope})`) }
  const options = isTogether
    ? [
        { value: 'denied', label: 'No' },
        { value: 'approved', label: 'Yes, all exactly as shown' },
        { value: 'each', label: 'Decide on each call' },
      ]
    : [
        { value: 'denied', label: 'No' },
        { value: 'approved', label: 'Yes, exactly as shown' },
        ...(scope === 'once' ? [] : [wider]),
        { value: 'changed', label: 'Change it: tell the agent how; you are asked again' },
      ]
  const question = isTogether ? `Allow these ${calls.length} calls?` : 'Allow it?'
  const choice = await promptUser(cli, ({ select }, io) => select({ ...io, message: question, options }), signal)
  if (choice === undefined || choice === 'each') return choice
  if (choice === 'approved') return { choice }
  if (choice === 'wider') return { choice: 'approved', scope }
  const message = choice === 'denied' ? 'Why? (Enter for no reason)' : 'What should the agent do instead, or as well?'
  const validate = (typed = ''): string | undefined =>
    choice === 'changed' && typed.trim() === '' ? 'Write what it should do.' : undefined
  const words = await promptUser(cli, ({ text }, io) => text({ ...io, message, validate }), signal)
  return words === undefined ? undefined : { choice: choice === 'denied' ? 'denied' : 'approved', said: words }
}

async function answer(cli: Cli, { choices = [] }: UserQuestion, signal: AbortSignal): Promise<Choice> {
  if (choices.length > 0) {
    const options = choices.map((choice) => ({ value: choice, label: safeLine(escapeHidden(choice)) }))
    const all = [...options, { value: '', label: 'Another answer' }]
    const said = await promptUser(
      cli,
      ({ select }, io) => select({ ...io, message: 'Your answer', options: all }),
      signal,
    )
    if (said !== '') return said === undefined ? undefined : { choice: 'approved', said }
  }
  const message = 'Your answer (Enter to leave it unanswered)'
  const words = await promptUser(cli, ({ text }, io) => text({ ...io, message }), signal)
  return words === undefined ? undefined : { choice: words.trim() === '' ? 'denied' : 'approved', said: words }
}

/** Prints a failed decision, such as one that is too late. The run continues. */
function errorReporter(cli: Cli): (thrown: unknown) => void {
  return (thrown) => {
    const message = TuttiError.isInstance(thrown) || thrown instanceof Error ? thrown.message : String(thrown)
    cli.err.line(cli.err.style.yellow(safeLine(message)))
  }
}
