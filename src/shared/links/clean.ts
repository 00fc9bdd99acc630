import { htmlEdits, type Edit } from './html.ts'
import { definitionEdits, linkEdits } from './markdown.ts'
import { bareUrls, readingsOf } from './urls.ts'
import { renderedView, removeInvisible } from './view.ts'

export interface CleanedText {
  readonly text: string
  /** The addresses that were taken out, as they were written. */
  readonly removed: readonly string[]
}

/** One of these is in every text that has something to be changed; the last ones are what a view leaves out. */
const MARK = /[<\]&\\:/?#]|www|\u200C|\u200D|\uFE0E|\uFE0F/i

const GONE = '(link removed)'
/** Text around a removed link may form a new link, so cleaning repeats. After this many rounds all link markup is removed. */
const MOST_ROUNDS = 12

/**
 * A text in Markdown without links and images to addresses that are not allowed; their labels stay. Read as renderers do:
 * inline and reference links, HTML, autolinks, bare addresses, with character references, escapes and unseen characters
 * resolved. Code is not spared, since renderers differ in what they take for it.
 * @param isAllowed asked for each address that is found, as it is written
 */
export function removeUnknownLinks(original: string, isAllowed: (url: string) => boolean): CleanedText {
  const removed: string[] = []
  let text = removeInvisible(original)
  if (!MARK.test(text)) return { text, removed }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = text
    for (const pass of [html, definitions, links]) text = applied(text, pass(text, isAllowed), removed)
    text = applied(text, bare(text, isAllowed), removed)
    if (text === before) return { text, removed }
  }
  // Without its marks, nothing is a link but what is bare.
  text = text.replace(/[<[\]&\\]/g, ' ')
  return { text: applied(text, bare(text, isAllowed), removed), removed }
}

type Pass = (text: string, isAllowed: (url: string) => boolean) => Edit[]

const html: Pass = (text, isAllowed) => htmlEdits(text, isAllowed)
const definitions: Pass = (text, isAllowed) => definitionEdits(renderedView(text), isAllowed)
const links: Pass = (text, isAllowed) => linkEdits(renderedView(text), isAllowed)

/** Addresses that are in the text on their own; those of links and tags that may stay are passed over. */
const bare: Pass = (text, isAllowed) => {
  const kept = [...html(text, isAllowed), ...links(text, isAllowed)].filter((edit) => edit.text === undefined)
  let open = ''
  for (const { start, end } of kept.toSorted((a, b) => a.start - b.start)) {
    if (start >= open.length) open += text.slice(open.length, start) + ' '.repeat(end - start)
  }
  open += text.slice(open.length)
  const view = renderedView(open)
  return bareUrls(view.text).flatMap(({ start, end, readings }): Edit[] => {
    const first = view.from[start]!
    // Some renderers take character references in an address for what they mean, some as they are.
    const asWritten = readingsOf(/^[^\s<]*/u.exec(open.slice(first))![0])
    if (readings.some(isAllowed) && asWritten.some(isAllowed)) return []
    const shown = readings.at(-1)!
    return [{ start: first, end: view.to[start + shown.length - 1] ?? view.to[end - 1]!, text: GONE, removed: shown }]
  })
}

/** Makes changes that do not overlap; of two that do, the first one. */
function applied(text: string, edits: readonly Edit[], removed: string[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.text === undefined || edit.start < at) continue
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
    if (edit.removed !== undefined) removed.push(edit.removed)
  }
  return result + text.slice(at)
}
