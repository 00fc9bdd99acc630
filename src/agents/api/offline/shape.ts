import type { Endpoint } from '../catalogue/types.ts'
import { bindPlaceholders, placeholdersOf } from './placeholders.ts'
import { isValueLike, readQuestion } from './question.ts'
import { askedKind, kindOf } from './verbs.ts'

/** How well the kind and the placeholders of an endpoint fit a question, as a factor of its score. */
export function shapeFactor(question: string): (endpoint: Endpoint) => number {
  const kind = askedKind(question)
  const words = readQuestion(question)
  return (endpoint) => {
    // "Delete order 7" is not about reading, and "list the orders" not about creating.
    const ofKind = kindOf(endpoint) === kind ? 1 : 0.35
    // "Order 17" fills the placeholder of `/orders/{id}`; one that the question leaves open speaks against an endpoint.
    const placeholders = placeholdersOf(endpoint.path)
    const bound = bindPlaceholders(words, placeholders)
    const open = placeholders.length - bound.size
    const unused = words.filter(isValueLike).length - bound.size
    // A value that no placeholder takes may be meant for one that goes by another name.
    const stray = Math.max(0, open - Math.max(0, unused))
    return ofKind * 0.7 ** stray * 0.85 ** (open - stray) * (open === 0 && bound.size > 0 ? 1.1 : 1)
  }
}
