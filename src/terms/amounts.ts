import { onlyOf } from '../core/only.ts'
import { isMoney } from './catalogue.ts'
import type { Attribute, Entity } from './catalogue.ts'
import type { AttributeMatch } from './names.ts'
import { SYNONYM } from './names.ts'
import { singular } from './words.ts'

const WHOLE = /^(grand |full )?(total|amount|total amount|total price|value|total value)$/
const NET = /^(subtotal|sub total|net|net (amount|total|value)|(amount|total) net)$/

function nameOfAmount(attribute: Attribute): string {
  const own = attribute.entity.words
  return attribute.words
    .map(singular)
    .filter((w) => !own.map(singular).includes(w))
    .join(' ')
}

/** The one column that says how much a row is about: its only amount of money, or the one called total. */
export function amountOf(entity: Entity): Attribute | undefined {
  const amounts = entity.attributes.filter(isMoney)
  return onlyOf(amounts) ?? onlyOf(amounts.filter((a) => WHOLE.test(nameOfAmount(a))))
}

/** The amount before tax, where a row keeps it apart. */
export function netAmountOf(entity: Entity): Attribute | undefined {
  return onlyOf(entity.attributes.filter((a) => isMoney(a) && NET.test(nameOfAmount(a))))
}

/** The column as if it had been named by a word for it, so that the reading is told; `EXACT` where it need not be. */
export function asMatch(attribute: Attribute, text: string, score = SYNONYM): AttributeMatch {
  return { candidates: [{ attribute, score }], owner: attribute.entity, length: 0, text }
}
