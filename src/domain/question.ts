/** The tool name of questions to the user among pending approvals. Names of tools contain no space. */
export const QUESTION = 'question to the person'

/** Whether a pending approval is a question, which the user answers in words, rather than a call to approve. */
export function isQuestion({ tool }: { readonly tool: string }): boolean {
  return tool === QUESTION
}
