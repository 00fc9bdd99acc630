import { figuresIn } from './read.ts'
import { sentencesOf } from './sentences.ts'
import { THINGS } from './units.ts'

/** More figures than these in a sentence make any other by chance. */
const MOST_RATED = 4

/** What rates come to beside the amounts of their own sentences: “1,200 EUR net, VAT 19%”. */
export function ratedIn(text: string): { value: number; kind: string }[] {
  if (!/%|per ?cent|prozent/i.test(text)) return []
  return sentencesOf(text).flatMap((sentence) => {
    const figures = figuresIn(sentence, { decimalComma: true }).filter((figure) => figure.kind === 'number')
    const rates = figures.filter(({ isPercent }) => isPercent)
    const amounts = figures.filter(({ unit }) => unit !== undefined && unit !== THINGS && unit.size === 1)
    if (rates.length === 0 || rates.length + amounts.length > MOST_RATED) return []
    return amounts.flatMap(({ readings: [amount], unit }) =>
      rates.flatMap(({ readings: [rate] }) => {
        const part = (amount!.value * rate!.value) / 100
        return [part, amount!.value + part, amount!.value - part].map((value) => ({ value, kind: unit!.kind }))
      }),
    )
  })
}
