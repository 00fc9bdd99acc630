/** Whether a text is an unclosed JSON object, fenced or not: a structured reply that was cut off. */
export function isCutJson(text: string): boolean {
  const start = /^\s*(?:```[a-z]*\s*)?\{\s*"/.test(text) ? text.indexOf('{') : -1
  return start !== -1 && balancedEnd(text, start) === -1
}

/** Index after the bracket that closes the one at `start`, skipping strings; -1 if it is not closed. */
export function balancedEnd(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (inString) {
      if (char === '\\') i++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return i + 1
  }
  return -1
}
