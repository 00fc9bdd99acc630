/**
 * A question of two parts, such as "List the open orders over 500 and what share of all orders they are": something to
 * find, and its share in the whole. Without a model no single agent understands both, so each gets its part.
 */
export interface ShareQuestion {
  /** What to find, in the question's own words. */
  readonly part: string
  /** A question for the size of the whole. */
  readonly whole: string
}

const SHARE =
  /^(?<part>.+?)[,;]?\s+and\s+(?:(?:also|then)\s+)?(?:(?:tell|show|give) me\s+)?(?:what|which)\s+(?:is\s+)?(?:the\s+)?(?:share|percentage|percent|proportion|fraction)\s+of\s+(?:all\s+(?:the\s+)?|the\s+total\s+)(?<whole>[\p{L} _-]+?)\s+(?:(?:they|these|those)\s+(?:are|make up|represent)|(?:are|do)\s+(?:they|these|those)(?:\s+(?:make up|represent))?)\s*[?.!]*$/iu

export function shareQuestion(question: string): ShareQuestion | undefined {
  const { part, whole } = SHARE.exec(question.trim())?.groups ?? {}
  if (part === undefined || whole === undefined) return undefined
  return { part: part.trim(), whole: `How many ${whole.trim()} are there?` }
}
