/** Under this name a question to the person is among what waits for a decision. The name of a tool has no space. */
export const QUESTION = 'question to the person'

/** Whether what waits is a question, whose answer is the person's words, rather than a call to allow. */
export function isQuestion({ tool }: { readonly tool: string }): boolean {
  return tool === QUESTION
}
