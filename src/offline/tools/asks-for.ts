const BEFORE_CALL =
  /^(?:[\s,;:.!“"'`(]|\b(?:please|now|then|and|also|next|call|run|use|invoke|execute|make|send|do|the|a|an|tool|request)\b)*$/i

/** Whether a text asks for a call that changes something: before the name of the call only words that request it, and no question. */
export function requestsCall(text: string, start: number): boolean {
  return BEFORE_CALL.test(text.slice(0, start)) && !text.trimEnd().endsWith('?')
}
