import type { Tag } from '../../domain/prompt-text.ts'

export interface TaggedText {
  /** The text outside the tags; for a partial text, without a possible beginning of a tag. */
  readonly text: string
  /** The text between the tags, which may be empty; absent without tags. */
  readonly tagged?: string
}

/** Splits a model's text into the parts outside and inside tags. An unclosed tag ends with the text. */
export function splitTag(written: string, tag: Tag): TaggedText {
  const open = `<${tag}>`
  const [before = '', ...others] = written.split(open)
  const parts = others.map((part) => part.split(`</${tag}>`))
  const text = [before, ...parts.flatMap(([, ...after]) => after)].join('')
  const tail = text.lastIndexOf('<')
  const outside = (tail >= 0 && open.startsWith(text.slice(tail)) ? text.slice(0, tail) : text).trim()
  if (parts.length === 0) return { text: outside }
  return { text: outside, tagged: parts.map(([content = '']) => content.trim()).join('\n') }
}

const NOT_ANSWERED = 'not_answered'

/** A rule for prompts that write an answer. */
export function notAnsweredRule(asked: 'question' | 'task'): string {
  return `Where a part of the ${asked} stays unanswered, name it after the answer between <${NOT_ANSWERED}> and </${NOT_ANSWERED}>, a line each.`
}

/** Splits an answer from its list of open parts, one per line; the list is absent if the answer has none. */
export function splitOpenParts(written: string): TaggedText & { readonly unanswered?: readonly string[] } {
  const split = splitTag(written, NOT_ANSWERED)
  if (split.tagged === undefined) return split
  return { ...split, unanswered: split.tagged.split('\n').flatMap((part) => part.trim().replace(/^- /, '') || []) }
}

/** The problem of a tagged reply that has no text outside its tags; undefined if it has some. */
export function emptyAnswer(text: string): string | undefined {
  return text === '' ? 'there is no answer outside the tags' : undefined
}
