import type { RoleContext } from '../../domain/actor.ts'
import type { ProfileField } from '../../domain/memory.ts'
import { agentProblem } from '../../strategies/planning/usable-agents.ts'
import { replyToFollowUp } from '../planner/follow-up.ts'
import { converse, type Connected } from './converse.ts'
import { isStatement } from './introduction.ts'
import { extractByPatterns } from './remember.ts'

export interface Reply {
  readonly text: string
  readonly isAnswered: boolean
  /** Topic of the example questions offered with the reply; by default the question itself. */
  readonly about?: string
  /** The question that may be meant. It is offered if it is understood. */
  readonly whole?: string | undefined
}

/** Replies without an agent to a follow-up, small talk or an introduction. Returns undefined for a question. */
export async function replyTo(ctx: RoleContext): Promise<Reply | undefined> {
  const { question } = ctx.request
  const open = replyToFollowUp(ctx)
  if (open !== undefined) return open
  if (isStatement(question)) return acknowledged(ctx)
  const text = converse(question, () => connectedSources(ctx)) ?? recalled(ctx)
  return text === undefined ? undefined : { text: await text, isAnswered: true }
}

/** The connected sources of the agents that can work. */
export async function connectedSources(ctx: RoleContext): Promise<Connected> {
  const agents = ctx.agents.filter(
    (agent) => agentProblem(agent, ctx) === undefined && !ctx.request.disableAgents.includes(agent.name),
  )
  const all = await Promise.all(agents.map(async ({ planning }) => (await planning?.offers?.(ctx)) ?? {}))
  const offers = all as readonly Partial<Connected>[]
  return {
    databases: offers.flatMap(({ databases = [] }) => databases),
    documents: offers.flatMap(({ documents = [] }) => documents),
    apis: offers.flatMap(({ apis = [] }) => apis),
    mailboxes: offers.flatMap(({ mailboxes = [] }) => mailboxes),
    today: String(ctx.request.context['current_date']),
    agents: agents.flatMap(({ name, planning }) => (planning?.rank === undefined ? [name] : [])),
  }
}

const NAMES: Readonly<Record<ProfileField, string>> = {
  userName: 'your name',
  companyName: 'your company',
  jobTitle: 'your job title',
  recentProjects: 'your projects',
  tone: 'the tone of answers',
  detailLevel: 'the length of answers',
  language: 'the language of answers',
}

const NO_MEMORY =
  'Nothing was remembered: only your name, company, job title, projects and how you like answers are kept.'

/** Confirms what was stored in memory. */
function acknowledged({ state, request, recollection: { profile } }: RoleContext): Reply {
  const isKept = [...state.jobs.values()].some(({ actor }) => actor === 'memory-extractor')
  const facts = isKept ? Object.entries(extractByPatterns(request.question)) : []
  if (facts.length === 0) return { text: NO_MEMORY, isAnswered: false }
  const known: Readonly<Record<string, unknown>> = { ...profile?.facts, ...profile?.preferences }
  const isNew = facts.filter(([field, value]) => [value].flat().some((one) => ![known[field]].flat().includes(one)))
  const list = isNew.map(([field, value]) => `${NAMES[field as ProfileField]} (${[value].flat().join(', ')})`)
  const text = list.length === 0 ? 'That was remembered already.' : `Remembered: ${list.join(', ')}.`
  return { text, isAnswered: true }
}

const ASKED: readonly (readonly [RegExp, ProfileField, string])[] = [
  [/^(?:what['’]?(?:s| is) my name|who am i)\b/i, 'userName', 'Your name is'],
  [/^(?:what['’]?(?:s| is) my company|where do i work|who do i work for)\b/i, 'companyName', 'You work for'],
  [/^what['’]?(?:s| is) my (?:job(?: title)?|role|position)\b/i, 'jobTitle', 'Your job title is'],
]

/** A fact of the profile that a question asks for. */
function recalled({ request: { question }, recollection: { profile } }: RoleContext): string | undefined {
  const [, field, lead] = ASKED.find(([words]) => words.test(question.trim())) ?? []
  const fact = field === undefined ? undefined : profile?.facts[field as keyof typeof profile.facts]
  return fact === undefined ? undefined : `${lead} ${[fact].flat().join(', ')}.`
}
