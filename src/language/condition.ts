/** A part that is to be done only if another one finds something. Whether that is so, no plan can know. */
const CONDITION =
  /(?:^|[,.;:!?]\s+(?:(?:and|but|then)\s+)?|\b(?:and|but|then|only)\s+)(?:if|unless|otherwise|depending\s+on)\b/i

export function isConditional(text: string): boolean {
  return CONDITION.test(text)
}
