import { CodeScanner, renderedView, removeInvisible } from './view.ts'
import { htmlEdits, type Edit } from './html.ts'
import { definitionEdits, linkEdits } from './markdown.ts'
import { bareUrls, readingsOf } from './urls.ts'

export interface CleanedText {
  readonly text: string
  /** The removed addresses, as they were written. */
  readonly removed: readonly string[]
}

/** Every text that needs cleaning contains one of these; the last ones are characters that a view leaves out. */
const MARK = /[<\]&\\:/?#]|www|\u200C|\u200D|\uFE0E|\uFE0F/i

const REMOVED_LINK = '(link removed)'
/** Text around a removed link may form a new link, so cleaning repeats. After this many rounds all link markup is removed. */
const MAX_ROUNDS = 12

/** A piece of code, while links are removed around it. */
const HIDDEN = /\uE000(\d+)\uE001/g

/**
 * Sanitizes a Markdown text: removes links and images to addresses that are not allowed, and keeps their labels. Parsed like
 * renderers do: inline and reference links, HTML, autolinks, bare addresses, with character references, escapes and
 * invisible characters resolved. Code stays as it is, where all renderers read it as code.
 * @param isAllowed called for each address, as it is written
 * @param scanner of the pieces before, if the text is one of several
 */
export function removeUnknownLinks(
  original: string,
  isAllowed: (url: string) => boolean,
  scanner = new CodeScanner(),
): CleanedText {
  const parts = scanner.parts(original)
  const code: string[] = []
  const canHide = !/[\uE000\uE001]/.test(original)
  const text = parts.map((part) => (part.isCode && canHide ? `\uE000${code.push(part.text) - 1}\uE001` : part.text))
  const cleaned = cleanText(text.join(''), isAllowed)
  return { ...cleaned, text: cleaned.text.replace(HIDDEN, (_hidden, n: string) => code[Number(n)]!) }
}

function cleanText(original: string, isAllowed: (url: string) => boolean): CleanedText {
  const removed: string[] = []
  let text = removeInvisible(original)
  if (!MARK.test(text)) return { text, removed }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = text
    for (const pass of [html, definitions, links]) text = applied(text, pass(text, isAllowed), removed)
    text = applied(text, bare(text, isAllowed), removed)
    if (text === before) return { text, removed }
  }
  // Without link markup, only bare addresses can be links.
  text = text.replace(/[<[\]&\\]/g, ' ')
  return { text: applied(text, bare(text, isAllowed), removed), removed }
}

type Pass = (text: string, isAllowed: (url: string) => boolean) => Edit[]

const html: Pass = (text, isAllowed) => htmlEdits(text, isAllowed)
const definitions: Pass = (text, isAllowed) => definitionEdits(renderedView(text), isAllowed)
const links: Pass = (text, isAllowed) => linkEdits(renderedView(text), isAllowed)

/** Bare addresses; those of allowed links and tags are skipped. */
const bare: Pass = (text, isAllowed) => {
  const edits = [...html(text, isAllowed), ...links(text, isAllowed)].filter((edit) => edit.text === undefined)
  let open = ''
  for (const { start, end } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start >= open.length) open += text.slice(open.length, start) + ' '.repeat(end - start)
  }
  open += text.slice(open.length)
  const view = renderedView(open)
  return bareUrls(view.text).flatMap(({ start, end, readings }): Edit[] => {
    const first = view.from[start]!
    // Some renderers resolve character references in an address, others do not.
    const asWritten = readingsOf(/^[^\s<]*/u.exec(open.slice(first))![0])
    if (readings.some(isAllowed) && asWritten.some(isAllowed)) return []
    const shown = readings.at(-1)!
    return [
      { start: first, end: view.to[start + shown.length - 1] ?? view.to[end - 1]!, text: REMOVED_LINK, removed: shown },
    ]
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
