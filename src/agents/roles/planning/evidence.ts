import { ruleText } from '../../../core/rule-text.ts'
import type { Agent } from '../../../core/actor.ts'
import { requestOf, wordsOf } from '../../../language/clause-starts.ts'
import { unitCalled } from '../../../language/figures/units.ts'
import { stem } from '../../../language/tokens.ts'

/** Words by which people ask for anything; they say little about who could answer. */
const WEAK = new Set(
  `show list find get give tell search look what is report top project trend per make create information details data
  what's`.split(/\s+/),
)
const WEAK_WEIGHT = 0.4
/** The first words of a request, its verb and object, say most. */
const HEAD_WORDS = 3
const LEAD_BONUS = 2
const HEAD_BONUS = 0.5
/** For each word that a clause shares with what an agent says of its uses. */
const PROSE_WEIGHT = 0.15
const MAX_PROSE = 0.3

/** A word of an agent's declaration found in a clause. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly weight: number
}

export interface Evidence {
  readonly score: number
  /** Without generic words and the agent's prose: what really points at it. */
  readonly strong: number
  readonly matches: readonly Match[]
}

/**
 * What speaks for an agent in a clause: its keywords, its name as in “the code agent” (a bare “code” may be a postal one),
 * and a little its own description.
 */
export function evidenceFor(agent: Agent, whole: string): Evidence {
  const clause = ruleText(whole)
  const text = clause.toLowerCase()
  const head = headOf(clause)
  const found = [...agent.keywords, `${agent.name} agent`].flatMap((keyword) =>
    occurrences(text, keyword.toLowerCase(), head),
  )
  const matches = withoutOverlaps(found)
  // The same word said twice is no stronger; different ones are.
  const weights = new Map<string, number>()
  for (const { start, end, weight } of matches) {
    const word = text.slice(start, end)
    weights.set(word, Math.max(weight, weights.get(word) ?? 0))
  }
  const byWords = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const strong = matches.filter(({ weight }) => weight >= 1).length
  return { score: byWords + proseScore(agent, text, matches), strong, matches }
}

interface Head {
  /** Where the request begins, where its first word ends, and where its first few do. */
  readonly start: number
  readonly leadEnd: number
  readonly end: number
}

function headOf(clause: string): Head {
  const request = requestOf(clause)
  const offset = clause.length - request.length
  const words = [...request.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)].slice(0, HEAD_WORDS)
  const ends = words.map((word) => offset + word.index + word[0].length)
  return { start: offset, leadEnd: ends[0] ?? offset, end: ends.at(-1) ?? offset }
}

/**
 * A keyword counts at the beginning of a word; one with a short end must be whole words or their plural, lest “per” be found in
 * “person” and “api” in “apiary”.
 */
function occurrences(text: string, keyword: string, head: Head): Match[] {
  const [first = ''] = keyword.trim().split(/\s+/)
  // Making a pattern takes a thousand times as long as this look, and most keywords are in no clause.
  if (first === '' || !text.includes(first)) return []
  const isWord = /^[\p{L}\p{N}]/u.test(keyword.trim())
  const escaped = keyword
    .trim()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s+`)
  const before = isWord ? String.raw`(?<![\p{L}\p{N}])` : ''
  const isShort = /(?:^|\s)[\p{L}\p{N}]{1,4}\s*$/u.test(keyword)
  const after = isWord && isShort ? String.raw`(?:e?s)?(?![\p{L}\p{N}])` : ''
  // An e-mail address is a property of somebody, not a mail.
  const thing = keyword.trim().endsWith('mail') ? String.raw`(?!\s+address)` : ''
  const said = [...text.matchAll(new RegExp(`${before}${escaped}${after}${thing}`, 'gu'))]
  // “5 minutes” are no minutes of a meeting.
  const isAmount = unitCalled(keyword.trim()) !== undefined
  return said.flatMap((match) => {
    if (isAmount && /\d\s?$/.test(text.slice(0, match.index))) return []
    const [start, end] = [match.index, match.index + match[0].length]
    const isWeak = wordsOf(keyword).every((word) => WEAK.has(word))
    const isHead = start >= head.start && start < head.end
    const bonus = !isHead ? 0 : start < head.leadEnd ? LEAD_BONUS : HEAD_BONUS
    const weight = isWeak ? WEAK_WEIGHT : 1 + bonus
    return [{ start, end, weight }]
  })
}

/** Of keywords that share letters (“doc”, “documents”) the longest. */
function withoutOverlaps(matches: readonly Match[]): Match[] {
  const kept: Match[] = []
  for (const match of [...matches].sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)) {
    if (kept.every((other) => match.end <= other.start || match.start >= other.end)) kept.push(match)
  }
  return kept.sort((a, b) => a.start - b.start)
}

function proseScore(agent: Agent, text: string, matches: readonly Match[]): number {
  const prose = new Set([...agent.useCases, ...agent.capabilities].flatMap((line) => wordsOf(line).map(stem)))
  const covered = new Set(matches.flatMap(({ start, end }) => wordsOf(text.slice(start, end)).map(stem)))
  const shared = new Set(
    wordsOf(text)
      .filter((word) => word.length >= 5 && !WEAK.has(word))
      .map(stem)
      .filter((word) => prose.has(word) && !covered.has(word)),
  )
  const score = Math.min(MAX_PROSE, shared.size * PROSE_WEIGHT)
  // An agent without keywords has nothing but its description to be found by.
  return agent.keywords.length === 0 ? shared.size * 0.5 : score
}
