/** The Python code of a question with one fenced block (```python … ```); undefined without one, or with several. */
export function fencedPython(question: string): string | undefined {
  const blocks = [
    ...question.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*(?:python3?|py)[ \t]*\r?\n([^]*?)^[ \t]*\1[ \t]*$/gim),
  ]
  const code = blocks.length === 1 ? blocks[0]![2]!.replace(/\r\n/g, '\n') : undefined
  return code?.trim() === '' ? undefined : code
}
