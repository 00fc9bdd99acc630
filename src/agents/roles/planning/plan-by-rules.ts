import { MAX_RULE_TEXT } from '../../../core/rule-text.ts'
import type { Agent } from '../../../core/actor.ts'
import { stages, type Task } from '../../../core/plan.ts'
import { arrange, type Step } from './arrange.ts'
import { assign, type Part } from './assign.ts'
import { applyPreferences } from './candidates.ts'
import { carried, withMeasures } from './carry.ts'
import { candidatesFor, isAble, type Team } from './choose.ts'
import { takenTogether } from './taken.ts'
import { splitClauses } from '../../../language/clauses.ts'
import { entitiesFor, entitiesIn, type Entities } from './entities.ts'
import { careIn } from '../../../language/care.ts'
import { isStatement, withoutIntroduction } from '../../../language/introduction.ts'
import { shareQuestion } from './share-question.ts'

/** A question as a planner has understood it (SPEC R1). */
export interface Understanding {
  /** What the person wants, in a few words. */
  readonly intent: string
  readonly entities: Entities
  readonly tasks: readonly Task[]
  readonly rationale: string
  /** 0 to 1. */
  readonly confidence: number
  /** Parts that were given the period or place of the part before. */
  readonly carried?: readonly string[]
}

/** Confidence of a plan that no model has looked at (SPEC P3). */
export const HEURISTIC_CONFIDENCE = 0.4

/**
 * A plan without a model: the question is split into clauses, each goes to the agent whose declaration fits best, and
 * those that speak of earlier results wait for them. It knows no agent by name. `today` is YYYY-MM-DD, for periods.
 */
export function planByRules(whole: string, team: Team, today: string | undefined): Understanding {
  // How carefully it is to be answered is no part of what is asked.
  const question = careIn(withoutIntroduction(whole)).rest
  const steps = isStatement(whole) ? [] : stepsOf(question, team, today)
  const entities = entitiesIn(question, today)
  const tasks = tasksOf(question, ofFiles(steps, team), entities, today)
  const carriedTexts = steps.flatMap(({ text, isCarried }) => (isCarried === true ? [sentence(text)] : []))
  return {
    intent: intentOf(steps),
    entities,
    tasks,
    rationale: rationaleOf(tasks),
    confidence: HEURISTIC_CONFIDENCE,
    ...(carriedTexts.length === 0 ? {} : { carried: carriedTexts }),
  }
}

const FILE = '(?:contract|agreement|documents?|files?|attachments?|pdf|report|letter|text|paper)'
/** “in the attached contract”, “of the file that I attached”: which file is meant is clear where there is one, and stands nowhere in it. */
const IN_FILE = new RegExp(
  String.raw`\s*\b(?:in|of|from|by|according to|under)\s+(?:the|this|my|our)\s+(?:(?:attached|uploaded|enclosed)\s+(?:\p{L}+\s+)?${FILE}|attachments?|${FILE}\s+(?:that\s+)?I(?:\s+have|['’]ve)?\s+(?:attached|uploaded|added))\b`,
  'iu',
)

function ofFiles(steps: readonly Step[], { hasFiles = false }: Team): readonly Step[] {
  return hasFiles ? steps.map((step) => ({ ...step, text: step.text.replace(IN_FILE, '') })) : steps
}

/** Characters that say who is meant. */
const BEGINNING = 500
/** More tasks than a person could follow, and a pasted text rather than a question. */
const MOST_STEPS = 12

function stepsOf(question: string, team: Team, today = '2000-01-01'): Step[] {
  if (question.length > MAX_RULE_TEXT) return wholeSteps(question, team)
  const clauses = takenTogether(question, splitClauses(question), team)
  const parts = (): Part[] => carried(assign(question, clauses.flatMap(withMeasures), team), today)
  const steps = shareSteps(question, team) ?? arrange(parts(), team)
  return steps.length > MOST_STEPS ? wholeSteps(question, team) : steps
}

/** The question as it stands, for the one agent that its beginning speaks for. */
function wholeSteps(question: string, team: Team): Step[] {
  const text = question.slice(0, BEGINNING)
  const [part] = assign(text, [{ text, link: 'sentence', start: 0, end: text.length }], team)
  return part === undefined ? [] : [{ agent: part.agent, kind: part.kind, text: question.trim(), dependsOn: [] }]
}

/** The share of a part in the whole: both are found, then compared. */
function shareSteps(question: string, team: Team): Step[] | undefined {
  const share = shareQuestion(question)
  if (share === undefined) return undefined
  const [work] = candidatesFor(question, team, ({ planning }) => planning?.worksOnResults === true)
  const worker = work?.agent
  const found = ['part', 'whole'] as const
  const sources = found.map((which): Agent | undefined => {
    const text = share[which]
    // The size of the whole is counted best where figures are kept.
    const counting = team.agents.find((agent) => agent.planning?.isDefault === true && isAble(agent, team.context))
    if (which === 'whole' && counting !== undefined) return counting
    return assign(text, [{ text, link: 'sentence', start: 0, end: text.length }], team)[0]?.agent
  })
  const [part, whole] = sources
  if (worker === undefined || part === undefined || whole === undefined) return undefined
  if (part.planning?.worksOnResults === true || whole.planning?.worksOnResults === true) return undefined
  return [
    { agent: part, kind: 'find', text: share.part, dependsOn: [] },
    { agent: whole, kind: 'find', text: share.whole, dependsOn: [] },
    { agent: worker, kind: 'work', text: question, dependsOn: [0, 1] },
  ]
}

function tasksOf(question: string, steps: readonly Step[], entities: Entities, today: string | undefined): Task[] {
  const ids = idsFor(steps.map(({ agent }) => agent.name))
  const whole = question.trim()
  const texts = steps.map(({ text }) => text)
  return steps.map(({ agent, text, dependsOn, tools }, i) => {
    const concerning = steps.length === 1 ? entities : entitiesFor(text, entities, texts.toSpliced(i, 1), today)
    return {
      id: ids[i]!,
      agent: agent.name,
      // Without a text of its own the task is the question itself.
      ...(text === whole ? {} : { text: sentence(text) }),
      dependsOn: dependsOn.map((index) => ids[index]!),
      ...(Object.keys(concerning).length === 0 ? {} : { entities: concerning }),
      ...(tools === undefined ? {} : { tools: [...tools] }),
    }
  })
}

/** The agent's name, with a number from its second task on. */
function idsFor(agents: readonly string[]): string[] {
  return agents.map((agent, i) => {
    const id = agent.replaceAll(/[^\w-]/g, '_')
    const earlier = agents.slice(0, i).filter((other) => other === agent).length
    return earlier === 0 ? id : `${id}-${earlier + 1}`
  })
}

function sentence(text: string): string {
  return text.replace(/^\p{Ll}/u, (first) => first.toUpperCase())
}

function intentOf(steps: readonly Step[]): string {
  const verbs = { find: 'find out', work: 'work it out', act: 'act on it' } as const
  const kinds = (['find', 'work', 'act'] as const).filter((kind) => steps.some((step) => step.kind === kind))
  return kinds.length === 0 ? 'answer' : kinds.map((kind) => verbs[kind]).join(', then ')
}

function rationaleOf(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'No agent fits the question.'
  const inWords = stages({ tasks }).map((stage) => {
    const agents = applyPreferences(
      stage.map(({ agent }) => agent),
      [],
      [],
    )
    return agents.length === 1 ? agents[0]! : `${agents.slice(0, -1).join(', ')} and ${agents.at(-1)} side by side`
  })
  return `Planned by rules: ${inWords.join(', then ')}.`
}
