import { isStopWord } from '../tokens.ts'
import type { Evidence } from './evidence.ts'
import { figuresIn, type Figure } from './read.ts'
import { sentencesOf } from './sentences.ts'
import { unitCalled } from './units.ts'

/** A sentence must say so many more of the words that are claimed than the one which holds the figure. */
const CLEARLY_MORE = 2
/** Of longer texts nobody looks in which sentence a figure stands. */
const MOST_SENTENCES = 2_000

/** A sentence of a text, what it has figures of, and what may speak of the same: the heading and the sentences beside it. */
export interface Statement {
  readonly own: Evidence
  readonly kinds: ReadonlySet<string>
  readonly around: readonly Statement[]
}

/**
 * Whether a figure stands in texts, but beside other things than what is said of it: every sentence that holds it says clearly
 * less of the claim than one that holds another figure of the same kind. “Damage must be reported within 30 days”, where
 * that is 7 days, and 30 those for returns.
 */
export function isSaidOfOther(figure: Figure, sentence: string, { statements, tables }: Evidence): boolean {
  const kind = kindOf(figure)
  if (kind === undefined || tables.length > 0) return false
  const ofKind = statements.filter(({ kinds }) => kinds.has(kind))
  const holding = ofKind.filter(({ own }) => own.find(figure) !== undefined)
  if (holding.length === 0 || holding.length === ofKind.length) return false
  const words = [...new Set(sentence.toLowerCase().match(/\p{L}{3,}/gu) ?? [])].filter(
    (word) => !isStopWord(word) && unitCalled(word) === undefined,
  )
  const saidBy = ({ own, around }: Statement): string[] => {
    const near = [own, ...around.flatMap((one) => (one.kinds.has(kind) ? [] : [one.own]))]
    return words.filter((word) => near.some((one) => one.names(word)))
  }
  const told = ofKind.filter((one) => !holding.includes(one)).map(saidBy)
  return holding.every((one) => {
    const said = saidBy(one)
    return told.some((more) => more.length >= said.length + CLEARLY_MORE && said.every((word) => more.includes(word)))
  })
}

/** The sentences of texts. A line that only a page was too narrow for goes on in the next. */
export function statementsIn(texts: readonly string[], evidenceOf: (sentence: string) => Evidence): Statement[] {
  const statements = texts.flatMap((text) => {
    const all = sentencesOf(text.replace(/(?<![.!?:;|\n])\n(?=[\p{Ll}\d])/gu, ' ')).map((one) => {
      const kinds = new Set(figuresIn(one, { decimalComma: true }).flatMap((figure) => kindOf(figure) ?? []))
      return { own: evidenceOf(one), kinds, around: [] as Statement[] }
    })
    all.forEach(({ around }, at) =>
      around.push(...[all[0], all[at - 1], all[at + 1]].filter((one) => one !== undefined)),
    )
    return all
  })
  return statements.length > MOST_SENTENCES ? [] : statements
}

/** What may be taken for each other: amounts of one kind, percentages, days. */
function kindOf(figure: Figure): string | undefined {
  if (figure.kind !== 'number') return figure.kind === 'date' ? 'date' : undefined
  return figure.isPercent ? 'percent' : figure.unit?.kind
}
