import type { Token, Tokens } from 'marked'

/** The text that a Markdown reader shows for tokens; other elements appear by name. */
export function shownMarkdown(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return '\n'
      if (token.type === 'space') return '\n\n'
      if (token.type === 'escape') return (token as Tokens.Escape).text
      if (token.type === 'paragraph') return shownMarkdown(token.tokens ?? [])
      if (token.type === 'text')
        return token.tokens === undefined ? unescaped((token as Tokens.Text).text) : shownMarkdown(token.tokens)
      return `{${token.type}}`
    })
    .join('')
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
