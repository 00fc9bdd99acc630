import { stripVTControlCharacters } from 'node:util'
import { checkSentence, NOTHING_SAID, type Said } from '../../language/figures/check.ts'
import { sentencesOf } from '../../language/figures/sentences.ts'
import { citedNumbers, replaceMarks } from '../citations.ts'
import type { AnswerGrounds } from './grounds.ts'

export interface CheckedAnswer {
  /** Without the sentences that nothing stands for. */
  readonly text: string
  /** Figures that stand nowhere, as printed. */
  readonly unfounded: readonly string[]
  /** Marks that stand for no source, or for one that does not hold the figures before it. */
  readonly wrongMarks: readonly number[]
}

interface CheckedSentence extends CheckedAnswer {
  readonly sentence: string
  readonly said: Said
}

/** Holds an answer against its grounds, sentence by sentence, as a whole or while it is still being written. */
export class AnswerCheck {
  private readonly grounds: AnswerGrounds
  /** What was released last: each sentence costs its check once, however often the text grows. */
  private checked: readonly CheckedSentence[] = []

  constructor(grounds: AnswerGrounds) {
    this.grounds = grounds
  }

  isSource(n: number): boolean {
    return this.grounds.byNumber.has(n)
  }

  whole(answer: string): CheckedAnswer {
    const checked = this.sentences(sentencesOf(answer))
    return {
      text: checked
        .map(({ text, unfounded }) => (unfounded.length === 0 ? text : ''))
        .join('')
        .trim(),
      unfounded: [...new Set(checked.flatMap(({ unfounded }) => unfounded))],
      wrongMarks: [...new Set(checked.flatMap(({ wrongMarks }) => wrongMarks))],
    }
  }

  /** What can be shown of an answer that is still being written: its sentences up to the first that nothing stands for. */
  readonly release = (soFar: string): string => {
    const checked = this.sentences(sentencesOf(soFar, true))
    this.checked = checked
    const end = checked.findIndex(({ unfounded }) => unfounded.length > 0)
    return checked
      .slice(0, end < 0 ? undefined : end)
      .map(({ text }) => text)
      .join('')
  }

  private sentences(sentences: readonly string[]): CheckedSentence[] {
    const changed = sentences.findIndex((sentence, place) => this.checked[place]?.sentence !== sentence)
    const checked = this.checked.slice(0, changed < 0 ? sentences.length : changed)
    for (const sentence of sentences.slice(checked.length))
      checked.push({ sentence, ...this.sentence(sentence, checked.at(-1)?.said ?? NOTHING_SAID) })
    return checked
  }

  private sentence(sentence: string, before: Said): Omit<CheckedSentence, 'sentence'> {
    // Colours of a terminal are no figures.
    const plain = stripVTControlCharacters(sentence)
    const { unfounded, said, figures } = checkSentence(plain, this.grounds, before)
    const cited = citedNumbers(sentence)
    if (cited.length === 0 || unfounded.length > 0) return { text: sentence, unfounded, wrongMarks: [], said }
    const right = new Set(
      figures.length === 0
        ? cited.filter((n) => this.grounds.byNumber.has(n))
        : this.rightMarks(sentence, cited, before),
    )
    const wrongMarks = cited.filter((n) => !right.has(n))
    if (wrongMarks.length === 0) return { text: sentence, unfounded, wrongMarks, said }
    return { text: withMarks(sentence, right), unfounded, wrongMarks, said }
  }

  /** Those of the marks whose sources hold a figure of the sentence, and what else it takes to hold all of them. */
  private rightMarks(sentence: string, cited: readonly number[], before: Said): number[] {
    const { byNumber, common } = this.grounds
    const missing = (numbers: readonly number[]): readonly string[] => {
      const found = numbers.flatMap((n) => byNumber.get(n) ?? [])
      return checkSentence(sentence, { ...this.grounds, common, found }, before).unfounded
    }
    const known = cited.filter((n) => byNumber.has(n))
    if (known.length === 0 || missing(known).length === 0) return known
    const none = missing([]).length
    const right = known.filter((n) => missing([n]).length < none)
    for (const n of byNumber.keys()) {
      const open = missing(right).length
      if (open === 0) break
      if (!right.includes(n) && missing([...right, n]).length < open) right.push(n)
    }
    return right
  }
}

/** What to say to whoever wrote figures that nothing stands for; undefined when there are none. */
export function unfoundedIn(check: AnswerCheck, answer: string): string | undefined {
  const { unfounded } = check.whole(answer)
  if (unfounded.length === 0) return undefined
  return `This stands in nothing that was found and does not follow from it: ${unfounded.join('; ')}. Leave it out or find it.`
}

/** The sentence with marks for these numbers alone; what it did not have goes behind it. */
function withMarks(sentence: string, numbers: ReadonlySet<number>): string {
  const space = /\s*$/.exec(sentence)![0]
  const had = new Set(citedNumbers(sentence))
  const kept = replaceMarks(sentence.trimEnd(), (n) => (numbers.has(n) ? n : undefined))
  const added = [...numbers].filter((n) => !had.has(n)).map((n) => `[${n}]`)
  if (added.length === 0) return kept + space
  const end = /[.!?…]?$/.exec(kept)!
  return `${kept.slice(0, end.index).trimEnd()} ${added.join('')}${end[0]}${space}`
}
