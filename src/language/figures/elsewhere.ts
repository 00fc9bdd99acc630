import { isStopWord, stem } from '../tokens.ts'
import { firstFrom } from './derive.ts'
import type { Evidence } from './evidence.ts'
import type { Reading } from './printed.ts'
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
  const holding = statements.holding(figure, kind)
  if (holding.size === 0 || holding.size === statements.ofKind(kind).length) return false
  const words = [...new Set(sentence.toLowerCase().match(/\p{L}{3,}/gu) ?? [])].filter(
    (word) => !isStopWord(word) && unitCalled(word) === undefined,
  )
  const saying = words.map((word) => statements.saying(word, kind))
  return [...holding].every((one) => {
    const said = saying.filter((some) => some.has(one))
    if (said.length + CLEARLY_MORE > saying.length) return false
    // Whoever says so much more says at least one of the words that are left when the most frequent one is taken away.
    const more = saying.filter((some) => !said.includes(some)).toSorted((a, b) => a.size - b.size)
    return more
      .slice(0, 1 - CLEARLY_MORE)
      .some((some) =>
        [...some].some(
          (other) =>
            !holding.has(other) &&
            said.every((word) => word.has(other)) &&
            more.filter((word) => word.has(other)).length >= CLEARLY_MORE,
        ),
      )
  })
}

/** The sentences of texts, by what they have figures of, by their figures and by their words. */
export class Statements {
  private readonly all: readonly Statement[]
  private readonly byKind = new Map<string, Statement[]>()
  private readonly byWord = new Map<string, Statement[]>()
  private readonly told = new Map<string, ReadonlySet<Statement>>()
  /** In ascending order. */
  private readonly amounts: (readonly [number, Statement])[] = []

  constructor(texts: readonly string[], evidenceOf: (sentence: string) => Evidence) {
    this.all = statementsIn(texts, evidenceOf)
    for (const one of this.all) {
      for (const kind of one.kinds) listed(this.byKind, kind, one)
      for (const word of one.own.words) listed(this.byWord, word, one)
      for (const amount of one.own.amounts) this.amounts.push([amount, one])
    }
    this.amounts.sort(([a], [b]) => a - b)
  }

  ofKind(kind: string): readonly Statement[] {
    return this.byKind.get(kind) ?? []
  }

  /** Whether one of them has both names. */
  haveBoth(names: readonly string[]): boolean {
    return this.all.some(({ own }) => names.every((name) => own.mentions(name)))
  }

  /** Those that say at least this share of the words, which are without endings. */
  about(words: readonly string[], share: number): readonly Statement[] {
    const said = new Map<Statement, number>()
    for (const word of words) for (const one of new Set(this.byWord.get(word))) said.set(one, (said.get(one) ?? 0) + 1)
    return [...said].flatMap(([one, count]) => (count >= share * words.length ? [one] : []))
  }

  /** Those of this kind in which the figure stands. */
  holding(figure: Figure, kind: string): ReadonlySet<Statement> {
    const near =
      figure.kind === 'number'
        ? figure.readings.flatMap((reading) =>
            [1, -1, figure.isPercent ? 0.01 : (figure.unit?.size ?? 1)].flatMap((by) => this.within(reading, by)),
          )
        : this.ofKind(kind)
    return new Set([...new Set(near)].filter(({ kinds, own }) => kinds.has(kind) && own.find(figure) !== undefined))
  }

  /** Those of this kind that say the word, or beside which one without a figure of the kind says it. */
  saying(word: string, kind: string): ReadonlySet<Statement> {
    const key = `${kind} ${word}`
    let told = this.told.get(key)
    if (told === undefined) {
      const own = new Set(this.byWord.get(stem(word.normalize('NFKC'))))
      told = new Set(
        this.ofKind(kind).filter(
          (one) => own.has(one) || one.around.some((other) => !other.kinds.has(kind) && own.has(other)),
        ),
      )
      this.told.set(key, told)
    }
    return told
  }

  private within({ from, to }: Reading, by: number): Statement[] {
    const [a, b] = [from * by, to * by].toSorted((one, other) => one - other) as [number, number]
    const slack = 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
    const at = (bound: (amount: number) => boolean): number =>
      firstFrom(this.amounts.length, (place) => bound(this.amounts[place]![0]))
    const near = this.amounts.slice(
      at((amount) => amount < a - slack),
      at((amount) => amount <= b + slack),
    )
    return near.map(([, one]) => one)
  }
}

function listed(lists: Map<string, Statement[]>, key: string, one: Statement): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

/** The sentences of texts. A line that only a page was too narrow for goes on in the next. */
function statementsIn(texts: readonly string[], evidenceOf: (sentence: string) => Evidence): Statement[] {
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
