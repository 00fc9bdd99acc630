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
  if (amounts.length === 1) return amounts[0]
  const whole = amounts.filter((a) => WHOLE.test(nameOfAmount(a)))
  return whole.length === 1 ? whole[0] : undefined
}

/** The amount before tax, where a row keeps it apart. */
export function netAmountOf(entity: Entity): Attribute | undefined {
  const net = entity.attributes.filter((a) => isMoney(a) && NET.test(nameOfAmount(a)))
  return net.length === 1 ? net[0] : undefined
}

/** The column as if it had been named by a word for it, so that the reading is told; `EXACT` where it need not be. */
export function asMatch(attribute: Attribute, text: string, score = SYNONYM): AttributeMatch {
  return { candidates: [{ attribute, score }], owner: attribute.entity, length: 0, text }
}
