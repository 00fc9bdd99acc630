import type { RunState } from './state.ts'

/**
 * Which calls an approval covers: only the requested one, or all calls of the tool to the same destination in this run,
 * in this conversation (only reads that leave the machine), or always.
 */
export const APPROVAL_SCOPES = ['once', 'run', 'conversation', 'always'] as const
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number]

/** Options of an approval. */
export interface ApprovalDetails {
  /** `once` when absent. */
  readonly scope?: ApprovalScope
  /** The input for the call, if the user edited it. */
  readonly payload?: unknown
}

/** The tool name of questions to the user among pending approvals. Names of tools contain no space. */
export const QUESTION = 'question to the person'

/** The role that asks whether to start a plan. */
export const PLAN_CONFIRMER = 'plan-confirmer'

/** Whether a pending approval is a question, which the user answers in words, rather than a call to approve. */
export function isQuestion({ tool }: { readonly tool: string }): boolean {
  return tool === QUESTION
}

/** The payload of a question. */
export interface UserQuestion {
  readonly question: string
  /** Suggested answers; the user can give another one. */
  readonly choices?: readonly string[]
}

/** A question with its choices, one per line. */
export function questionText({ question, choices = [] }: UserQuestion): string {
  return [question, choices.map((choice) => `- ${choice}`).join('\n')].filter((part) => part !== '').join('\n\n')
}

/** A question of an agent during a run, and the user's reply. */
export interface UserReply {
  readonly question: string
  /** Absent if the user did not answer. */
  readonly reply?: string
}

/** What a model reads in place of a reply. */
export const NO_REPLY = '(no answer)'

/** The decided questions of a run with the user's replies, in order; not the approval of a plan. */
export function repliesIn({ approvals, jobs }: Pick<RunState, 'approvals' | 'jobs'>): readonly UserReply[] {
  return [...approvals.values()].flatMap(({ key, question, decision, instructions: reply }) => {
    if (question === undefined || decision === undefined || jobs.get(key)?.actor === PLAN_CONFIRMER) return []
    return [decision === 'approved' && reply !== undefined ? { question, reply } : { question }]
  })
}

/** Descriptions of the calls of built-in tools, whose names users do not know. */
const ACTS: ReadonlyMap<string, string> = new Map([
  ['send_email', 'sending this mail'],
  ['reply_to_message', 'sending this reply'],
  ['draft_email', 'saving this draft'],
  ['run_python', 'running this program'],
  ['execute_code', 'running this program'],
  ['send_to_api', 'sending this request'],
  ['save_team', 'taking on this team'],
])

/** Describes a call of a tool; tools that are not built in are called by their names. */
export function actOf(tool: string): string {
  return ACTS.get(tool) ?? `the call of "${tool}"`
}

/** The same at the start of a sentence. */
export function sentenceActOf(tool: string): string {
  const act = actOf(tool)
  return act[0]!.toUpperCase() + act.slice(1)
}
