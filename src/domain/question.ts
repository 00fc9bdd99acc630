/** Under this name a question to the person is among what waits for a decision. The name of a tool has no space. */
export const QUESTION = 'question to the person'

/** Whether a pending approval is a question, which the user answers in words, rather than a call to approve. */
export function isQuestion({ tool }: { readonly tool: string }): boolean {
  return tool === QUESTION
}
