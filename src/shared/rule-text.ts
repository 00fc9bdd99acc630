/** Characters of a text that rules read. Models get the whole text. */
export const MAX_RULE_TEXT = 4_000

/** Whether a text is too long for rules, which would miss its end: the end may restrict or negate the beginning. */
export function exceedsRuleText(text: string): boolean {
  return text.length > MAX_RULE_TEXT
}

/** The beginning of a text for rules, many of which take superlinear time. */
export function ruleText(text: string): string {
  return text.length > MAX_RULE_TEXT ? text.slice(0, MAX_RULE_TEXT) : text
}
