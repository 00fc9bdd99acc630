import { ruleText } from '../core/rule-text.ts'
import { isOrder } from './clause-starts.ts'

/** A part that is to be done only if another one finds something. Whether that is so, no plan can know. */
const CONDITION =
  /(?:^|[,.;:!?]\s+(?:(?:and|but|then)\s+)?|\b(?:and|but|then|only)\s+)(?:if|unless|otherwise|depending\s+on)\b/i

export function isConditional(text: string): boolean {
  return CONDITION.test(ruleText(text))
}

const BETWEEN = String.raw`(?:^|[,.;:!?]\s+(?:(?:and|but|then)\s+)?)`
/** What is done where it is not so, or where the sentence before was. */
const OTHER_WAY = new RegExp(String.raw`${BETWEEN}(?:otherwise|else|if\s+(?:so|not))\b`, 'i')
/** “If you can, …”, “if any, …” are courtesy. */
const COURTEOUS = String.raw`(?:any|possible|available|applicable|(?:you|it|i)\s+(?:can|could|may|might|please|want|wish|like))\b`
const BEFORE_ORDER = new RegExp(
  String.raw`${BETWEEN}(?:if|unless)\s+(?!${COURTEOUS})(?:[^,;.!?]|[,.](?=\S))+,\s*(?:then\s+)?(?<order>[^.!?]+)`,
  'i',
)

/**
 * Whether what is found first says which way to go: there is another way, or what stands behind “if …,” is an order. “If I
 * am ill, do I need a certificate?” asks one thing.
 */
export function hasWays(whole: string): boolean {
  const text = ruleText(whole)
  return OTHER_WAY.test(text) || isOrder(BEFORE_ORDER.exec(text)?.groups?.['order'] ?? '')
}
