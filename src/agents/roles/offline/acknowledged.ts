import { z } from 'zod'
import type { RoleContext } from '../../../core/actor.ts'
import { PROFILE_FIELDS, type ProfileField } from '../../../core/memory.ts'
import { thingsTold } from '../../../language/introduction.ts'
import { extractByPatterns } from '../../../memory/patterns.ts'

const kept = z.object({
  changes: z.array(z.object({ field: z.enum(PROFILE_FIELDS), after: z.union([z.string(), z.array(z.string())]) })),
})

const NAMES: Readonly<Record<ProfileField, string>> = {
  userName: 'your name',
  companyName: 'your company',
  jobTitle: 'your job title',
  recentProjects: 'your projects',
  tone: 'the tone of answers',
  detailLevel: 'the length of answers',
  language: 'the language of answers',
}
const ONLY = 'only your name, job title, company, projects and how you like answers are kept'

/** The answer to somebody who only tells something: what of it was remembered, and what was not. */
export function acknowledged({ state, request: { question } }: RoleContext) {
  const said = { by: 'fallback' as const, isAnswered: true }
  const { result } = [...state.jobs.values()].find(({ actor }) => actor === 'memory-extractor') ?? {}
  if (result === undefined) return { ...said, text: 'Understood. That is no question; what would you like to know?' }
  const data = kept.safeParse(result.data).data
  const changes = data?.changes ?? []
  const values = changes.flatMap(({ after }) => after)
  const isKept = (thing: string): boolean =>
    values.some((value) => thing.includes(value)) ||
    (data !== undefined && Object.keys(extractByPatterns(thing)).length > 0)
  const left = thingsTold(question).filter((thing) => !isKept(thing))
  const list = changes.map(({ field, after }) => `${NAMES[field]} (${[after].flat().join(', ')})`)
  const head =
    list.length > 0 ? `Remembered: ${inWords(list)}` : data === undefined ? '' : 'That was remembered already'
  const not = inWords(left.map((thing) => `“${thing}”`))
  if (left.length === 0) return { ...said, text: `${head || 'Understood'}.` }
  if (head === '') return { ...said, text: `I could not remember ${not}: ${ONLY}.`, isAnswered: false }
  return { ...said, text: `${head}, but not ${not}: ${ONLY}.` }
}

function inWords(parts: readonly string[]): string {
  return parts.join(', ').replace(/, (?=[^,]*$)/, parts.length > 1 ? ' and ' : ', ')
}
