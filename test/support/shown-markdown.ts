import type { Token, Tokens } from 'marked'

/** What a reader of Markdown shows of tokens; what is more than text is named. */
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
