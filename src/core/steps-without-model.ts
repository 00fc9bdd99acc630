import { isModelCall, type RunEvent } from './events.ts'

interface WithoutModel {
  /** Whether a model did any step of it. */
  readonly hasModel: boolean
  /** Why steps went without one, each reason with the names of their prompts. */
  readonly why: ReadonlyMap<string, ReadonlySet<string>>
}

/** Which steps of an answer went without a model that was to do them, and why. */
export function stepsWithoutModel(events: readonly RunEvent[]): WithoutModel {
  const why = new Map<string, Set<string>>()
  let hasModel = false
  for (const event of events) {
    if (!isModelCall(event) || isBesideAnswer(event)) continue
    if (event.type === 'turn.finished') {
      hasModel ||= event.reply !== undefined
      continue
    }
    if (event.by === 'model') hasModel = true
    if (event.by !== 'fallback' || event.reason === undefined || NEVER_BY_RULES.test(event.name)) continue
    const reason = event.reason.replace(/\.$/, '')
    why.set(reason, (why.get(reason) ?? new Set()).add(event.name))
  }
  return { hasModel, why }
}

/** Where their model fails, the step is tried again, or the work goes on without it; no rule does it. */
const NEVER_BY_RULES = /^(?:review|supervisor|worker)\./

/** Jobs of memory and questions of approvals, whose way of working makes no difference to the answer. */
function isBesideAnswer({ key, name }: { readonly key: string; readonly name?: string }): boolean {
  return /^(?:remember|summarise|record):/.test(key) || name === 'approval.classify'
}
