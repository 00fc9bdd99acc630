import { isDeepStrictEqual } from 'node:util'
import { cut } from '../../core/outside.ts'
import { whyNone } from '../../core/without-model.ts'
import { ASKING_WORDS } from '../../language/asking-words.ts'
import { requestOf, startsClause } from '../../language/clause-starts.ts'
import { splitClauses, type Clause } from '../../language/clauses.ts'
import { stem, wordsOf } from '../../language/tokens.ts'
import { withoutNaming } from '../tool-names.ts'
import { callByWords, type SaidCall } from './call-by-words.ts'
import type { BoundTool } from './tools.ts'

/** Of the words by which people ask, those that ask for more than what lies there. */
const WORKED_OUT = new Set('how when where who whom whose why'.split(' '))
/** Words by which what came back is asked for as it is. */
const SHOWING = new Set([
  ...ASKING_WORDS.filter((word) => !WORKED_OUT.has(word)),
  ...(
    'print display return output say says said stand stands contain contains hold holds content contents text file files ' +
    'whole full all everything inside here result results back out raw exact exactly word words please thank thanks then ' +
    'also now just simply only found finds see know look looks read reads listing present put table as below'
  ).split(' '),
])
const ASKS_MORE =
  /\b(?:how (?:many|much|often|long)|who|whom|whose|whether|count|sum|total|average|number of|summar\w+|explain|compare|translate)\b/i
const LEADS_QUESTION = /^(?:how|what|which|when|where|why)\b/i
const STATEMENT = /^(?:i|we|my|our|it|this|that|these|those|they|there|he|she|you|thanks?)\b/i

/** Whether a clause asks for more than to be shown what was found. @param known words, stemmed, for what that is */
export function asksForMore(clause: string, known: ReadonlySet<string> = new Set()): boolean {
  return wordsOf(clause).some((word) => !SHOWING.has(word) && !known.has(stem(word)))
}

/**
 * The parts of a text that a call which the text says does not answer, in its own words: clauses without which the call is
 * the same, and those that ask for something to be worked out. @param shown what the call gave
 */
export function openParts(text: string, call: Call, tools: readonly BoundTool[], shown: string): string[] {
  const clauses = splitClauses(text)
  const known = wordsFor(call, shown)
  const calling = callingClauses(clauses, call, tools)
  return clauses
    .filter((clause) => {
      const rest = withoutNaming(clause.text, call.bound.tool.name)
      const isAsked = calling.includes(clause) ? isQuestion(rest) : !isStatement(rest)
      return isAsked && asksForMore(rest, known)
    })
    .map((clause) => clause.text)
}

/** That parts of a question are open, for the answer. @param reason why no model took part */
export function notWorkedOut(parts: readonly string[], reason?: string): string {
  const quoted = parts.map((part) => `“${cut(part.replace(/[\s.?!]+$/, ''), MOST_QUOTED)}”`)
  return `Not answered: ${quoted.join(' and ')}: to work that out of what was found needs a language model${whyNone(reason)}.`
}

const MOST_QUOTED = 200

type Call = Exclude<SaidCall, { readonly why: string }>

/** As few clauses as say the same call. */
function callingClauses(clauses: readonly Clause[], call: Call, tools: readonly BoundTool[]): readonly Clause[] {
  return clauses.toReversed().reduce((kept, clause) => {
    const rest = kept.filter((one) => one !== clause)
    const said = callByWords(rest.map(({ text }) => text).join('\n'), tools)
    return !('why' in said) && said.bound === call.bound && isDeepStrictEqual(said.input, call.input) ? rest : kept
  }, clauses)
}

function isQuestion(text: string): boolean {
  return ASKS_MORE.test(text) || LEADS_QUESTION.test(requestOf(text))
}

function isStatement(text: string): boolean {
  return STATEMENT.test(text) && !startsClause(text) && !text.includes('?')
}

const MOST_LABELS_IN = 4_000

/** The words of the call, of what its tool says first of itself, and of the labels of what came back. */
function wordsFor({ bound, input }: Call, shown: string): ReadonlySet<string> {
  const [first = ''] = bound.tool.description.split(/[.\n]/)
  const labels = shown.slice(0, MOST_LABELS_IN).matchAll(/^[\s{,]*"?(\p{L}[\p{L}\p{N}_ -]{0,39})"?\s*[:=]/gmu)
  const texts = [bound.tool.name, first, JSON.stringify(input), ...[...labels].map(([, label]) => label!)]
  return new Set(texts.flatMap(wordsOf).map(stem))
}
