import { useState } from 'react'

export type StrategyName = 'auto' | 'direct' | 'pipeline' | 'graph' | 'supervisor' | 'review'
export const STRATEGIES: readonly StrategyName[] = ['auto', 'direct', 'pipeline', 'graph', 'supervisor', 'review']

/** The options for questions, until the user changes them. */
export interface QuestionOptions {
  readonly strategy: StrategyName
  readonly model?: string
  /** Agents whose sources are excluded. */
  readonly without: readonly string[]
  readonly planFirst: boolean
  /** Collections to search; absent: the user's own documents and all collections. */
  readonly collections?: readonly string[]
}

/** A question as the server is asked it. */
export interface Question {
  readonly question: string
  readonly strategy?: string
  readonly models?: Readonly<Record<string, string>>
  readonly disableAgents?: readonly string[]
  readonly preferAgents?: readonly string[]
  readonly documents?: string
  readonly collections?: readonly string[]
  readonly confirmPlan?: true
}

const KEY = 'tutti.manner'
const DEFAULTS: QuestionOptions = { strategy: 'auto', without: [], planFirst: false }

/** The manner of this window, which continues from one conversation to the next. */
export function useQuestionOptions(): readonly [QuestionOptions, (change: Partial<QuestionOptions>) => void] {
  const [options, setManner] = useState(storedOptions)
  const change = (to: Partial<QuestionOptions>): void =>
    setManner((before) => {
      const after = { ...before, ...to }
      sessionStorage.setItem(KEY, JSON.stringify(after))
      return after
    })
  return [options, change]
}

function storedOptions(): QuestionOptions {
  try {
    return { ...DEFAULTS, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<QuestionOptions>) }
  } catch {
    return DEFAULTS
  }
}

/** Agents that are named with @ are asked first; their names are no part of the question. */
export function buildQuestion(
  text: string,
  { strategy, model, without, planFirst, collections = [] }: QuestionOptions,
  agents: ReadonlySet<string>,
  documents: string | undefined,
): Question {
  const mentioned: string[] = []
  const question = text
    .replaceAll(/(?<=^|\s)@([\w-]+)[ \t]?/g, (whole, name: string) => {
      if (!agents.has(name.toLowerCase())) return whole
      mentioned.push(name.toLowerCase())
      return ''
    })
    .trim()
  const disabled = without.filter((name) => agents.has(name) && !mentioned.includes(name))
  return {
    question,
    strategy,
    ...(model === undefined ? {} : { models: { default: model } }),
    ...(disabled.length === 0 ? {} : { disableAgents: disabled }),
    ...(mentioned.length === 0 ? {} : { preferAgents: mentioned }),
    ...(documents === undefined ? {} : { documents }),
    ...(collections.length === 0 ? {} : { collections }),
    ...(planFirst ? { confirmPlan: true } : {}),
  }
}
