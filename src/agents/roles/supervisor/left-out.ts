import { latestAttempt, plannedAttempt } from '../../../core/attempts.ts'
import type { Task } from '../../../core/plan.ts'
import type { Result } from '../../../core/result.ts'
import type { RunState } from '../../../core/state.ts'
import { startsClause } from '../../../language/clause-starts.ts'
import { figuresIn, type Figure } from '../../../language/figures/read.ts'
import { isConditional } from '../../../language/condition.ts'
import { tokensOf, wordsOf } from '../../../language/tokens.ts'
import { languageOf } from '../../../language/which-language.ts'
import { joinPlans } from '../planning/join-plans.ts'

/** The parts of a question, as rules or a person made them, with the words by which each is told from the others. */
export interface QuestionParts {
  /** Those that nobody has begun; what is to be done only if something is so is not among them. */
  readonly open: readonly Task[]
  has(task: Task): boolean
  /** Ids of those that a step with these words is about, or what came of it where its words speak of none. */
  about(text: string, found: string): readonly string[]
}

/** Words tell what a step is about in the language alone that rules read. */
export function questionParts({ plan: state, ...run }: RunState, question: string): QuestionParts {
  const { plan, asked = plan.tasks } = state!
  const language = languageOf(question)
  const isRead = language === undefined || language === 'en'
  const textOf = ({ text }: Task): string => text ?? question
  const isSame = (one: Task, other: Task): boolean => one.agent === other.agent && textOf(one) === textOf(other)
  // Whatever is done is about the only part, in whatever words.
  const isSeveral = new Set(asked.map(textOf)).size > 1
  const parts = (isRead && isSeveral ? asked : []).flatMap((task) => {
    const words = subjectOf(textOf(task))
    const others = new Set(asked.flatMap((one) => (textOf(one) === textOf(task) ? [] : subjectOf(textOf(one)))))
    const own = words.filter((word) => !others.has(word))
    return words.length === 0 ? [] : [{ task, words: new Set(own.length === 0 ? words : own) }]
  })
  const among = (text: string): readonly string[] => {
    const said = tokensOf(text)
    return parts.flatMap(({ task, words }) => (said.some((word) => words.has(word)) ? [task.id] : []))
  }
  const isBegun = (task: Task): boolean =>
    plan.tasks.some((one) => isSame(one, task) && plannedAttempt(run, one.id) !== undefined)
  return {
    open: parts.flatMap(({ task }) => (isBegun(task) || isConditional(textOf(task)) ? [] : [task])),
    has: (task) => parts.some((part) => isSame(part.task, task)),
    about(text, found) {
      const said = among(text)
      return said.length > 0 ? said : among(found)
    },
  }
}

/** What a text speaks of: its words without the verbs by which people ask for anything. */
function subjectOf(text: string): readonly string[] {
  const things = wordsOf(text).filter((word) => !startsClause(`${word} x`))
  const said = tokensOf(things.join(' '))
  return said.length > 0 ? said : tokensOf(text)
}

/** New words that make a result tell something; “done” is no more than that somebody has worked. */
const TELLING = 2
const YES_OR_NO = /^\W*(?:yes|no|none|nobody|nothing|never)\b/i

/**
 * Whether there is more in a result than what was said to whoever gave it: a step that only has a word of a part in its mouth
 * has done nothing about it.
 */
function tells({ answer = '', tabular, sources = [], data }: Result, said: string): boolean {
  if (tabular !== undefined) return tabular.rows.length > 0 || answer !== ''
  if (answer === '') return data !== undefined
  if (sources.some(({ excerpt }) => excerpt !== undefined) || YES_OR_NO.test(answer)) return true
  const known = new Set(tokensOf(said))
  const figures = new Set(figuresIn(said).map(({ text }) => text))
  const isNew = (figure: Figure): boolean => figure.kind !== 'name' && !figures.has(figure.text)
  return tokensOf(answer).filter((word) => !known.has(word)).length >= TELLING || figuresIn(answer).some(isNew)
}

/**
 * Open parts of the question that none of these steps is about, under ids that are free; they wait for what took the place of
 * others that they wait for.
 */
export function leftOut(parts: QuestionParts, steps: readonly Task[], state: RunState, question: string): Task[] {
  const inPlaceOf = new Map<string, string[]>()
  for (const { id, text } of steps) {
    const { result } = latestAttempt(state, id) ?? {}
    const { answer = '', tabular } = result ?? {}
    if (result?.status === 'succeeded' && !tells(result, `${question} ${text ?? ''}`)) continue
    for (const part of parts.about(text ?? question, [answer, ...(tabular?.columns ?? [])].join(' ')))
      inPlaceOf.set(part, [...(inPlaceOf.get(part) ?? []), id])
  }
  const open = parts.open.filter(({ id }) => !inPlaceOf.has(id))
  const isThere = (id: string): boolean => [...steps, ...open].some((task) => task.id === id)
  const waiting = open.map((task) => ({
    ...task,
    dependsOn: task.dependsOn.flatMap((id) => inPlaceOf.get(id) ?? (isThere(id) ? [id] : [])),
  }))
  return joinPlans({ tasks: steps }, waiting).tasks.slice(steps.length)
}
