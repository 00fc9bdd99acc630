import type { Team } from '../core/team.ts'
import { splitClauses } from '../language/clauses.ts'
import { isStopWord, tokensOf, wordsOf } from '../language/tokens.ts'

/** Words by which people ask a team for anything. */
const ASKING = new Set(
  tokensOf(
    'please kindly thanks thank hello use run ask let have team agents now again today do make give show tell result results',
  ),
)

/** Words of questions about anything. */
const ANYWHERE = new Set(
  tokensOf(
    `many much number count total sum amount average most least top per more less than other only also new report
    overview summary table row value question answer help work`,
  ),
)

/** Whether a phrase says enough to be asked of one team alone: “invoices against contracts”, and neither “invoices” nor “how many”. */
export function isOwnPhrase(phrase: string): boolean {
  const words = tokensOf(phrase.replaceAll(/[_-]/g, ' ')).filter((word) => !ASKING.has(word) && !ANYWHERE.has(word))
  return new Set(words).size > 1
}

/** Keywords that would take questions that are for others. */
export function vagueIn({ keywords }: Team): readonly string[] {
  return keywords.filter((keyword) => !isOwnPhrase(keyword))
}

/** Why a team that is given cannot have its keywords, with what to do. */
export function vagueFlaws(team: Team): readonly string[] {
  const vague = vagueIn(team)
  if (vague.length === 0) return []
  return [
    `The team would take questions that are for others by its keywords ${listed(vague)}: leave them out, or write phrases with two words or more that say what this team alone does, such as “invoices against contracts”.`,
  ]
}

/** What it is asked for by; a name that is an everyday word only as that of a team. */
export function keywordsOf({ name, keywords }: Pick<Team, 'name' | 'keywords'>): string[] {
  return [
    ...keywords.filter(isOwnPhrase),
    `${name} team`,
    `team ${name}`,
    ...(/[\d_-]/.test(name) || isOwnPhrase(name) ? [name] : []),
  ]
}

/** Words of a request that are none of the team's: its supervisor reads all of them, fixed steps do not. */
export function unreadBy(
  { name, purpose, keywords, useCases, agents, checks, strategy }: Team,
  question: string,
): string[] {
  if (strategy === 'supervisor') return []
  const texts = [name, purpose, ...keywords, ...useCases, ...checks.map((check) => check.question)]
  const members = agents.flatMap((agent) => [agent.name, agent.purpose, agent.task])
  const own = new Set(tokensOf([...texts, ...members].join(' ').replaceAll(/[_-]/g, ' ')))
  return saidIn(question).filter((word) => tokensOf(word).some((token) => !own.has(token) && !ASKING.has(token)))
}

/** The words of a request that say something, each once. */
export function saidIn(question: string): string[] {
  const words = wordsOf(question.replaceAll(/[_-]/g, ' '))
  return [...new Set(words)].filter((word) => !isStopWord(word))
}

/** How something is to be done, which leaves the same to be done: “thoroughly”. */
const MANNER = /..ly$/

/** What fixed steps say of a request that has words in it that are none of theirs, and which parts of it they have no answer to. */
export function unlooked(
  team: Team,
  question: string,
): { readonly remarks: readonly string[]; readonly parts: readonly string[] } {
  const unread = unreadBy(team, question)
  if (unread.length === 0) return { remarks: [], parts: [] }
  const remark = `The team “${team.name}” did its steps as they were built; it did not look at ${listed(asWritten(unread, question))}.`
  const parts = splitClauses(question)
    .map(({ text }) => text)
    .filter((part) => unreadBy(team, part).some((word) => !MANNER.test(word)))
  return { remarks: [remark], parts }
}

/** What is compared has lost its accents. */
function asWritten(words: readonly string[], question: string): string[] {
  const written =
    question
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => written.find((one) => wordsOf(one)[0] === word) ?? word)
}

function listed(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(', ')
}
