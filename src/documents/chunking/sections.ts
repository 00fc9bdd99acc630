import type { Block, ParsedDocument } from '../types.ts'

/** A stretch of a document under one heading. */
export interface Section {
  /** Headings above it, outermost first, joined by ` › `; absent before the first heading. */
  readonly path?: string
  /** Its heading or headings come first. */
  readonly blocks: readonly Block[]
}

interface Heading {
  readonly level: number
  readonly text: string
}

const BETWEEN_HEADINGS = ' › '
/** Of the path in all; headings may be long. */
const MAX_PATH_CHARS = 300

/**
 * Splits a document at its headings. A heading without text is joined with the next heading, so that no section is only
 * a title.
 */
export function sectionsOf({ text, blocks }: ParsedDocument): Section[] {
  const sections: Section[] = []
  let open: Heading[] = []
  let current: Block[] = []
  const close = (): void => {
    if (current.length > 0) sections.push({ ...pathOf(open), blocks: current })
    current = []
  }
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const level = block.level ?? 1
      const last = current.at(-1)
      const isTitleOfNext = last?.kind === 'heading' && (last.level ?? 1) < level
      if (!isTitleOfNext) close()
      open = [...open.filter((heading) => heading.level < level), { level, text: text.slice(block.start, block.end) }]
    }
    current.push(block)
  }
  close()
  return sections
}

function pathOf(open: readonly Heading[]): { path?: string } {
  if (open.length === 0) return {}
  const path = open.map(({ text }) => text).join(BETWEEN_HEADINGS)
  return { path: path.length > MAX_PATH_CHARS ? `${path.slice(0, MAX_PATH_CHARS - 1)}…` : path }
}
