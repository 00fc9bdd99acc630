import { plainShifted, type Shift } from '../shared/superscripts.ts'
import { ELEMENT, TEXT, walkPage, type PageNode } from './page-node.ts'
import { classesWith } from './style-classes.ts'

/** Characters; longer text is no mark but was set in the wrong element. */
const MAX_RUN = 80

/** Shifts of the second and the third child of an element of MathML. */
const MATH: Readonly<Record<string, readonly Shift[]>> = {
  MSUP: ['raised'],
  MSUB: ['lowered'],
  MSUBSUP: ['lowered', 'raised'],
}

interface OpenRun {
  readonly element: PageNode
  readonly shift: Shift
  readonly before: string
  readonly texts: PageNode[]
}

/** Writes superscripts and subscripts of a page as characters (`shifted`). */
export function markSuperscripts(root: unknown): void {
  const top = root as PageNode
  const classes = classesWith(top, alignedIn)
  const open: OpenRun[] = []
  let before = ''
  walkPage(
    top,
    (node) => {
      if (node.nodeType === TEXT) {
        for (const { texts } of open) texts.push(node)
        before = node.data.slice(-1) || before
      }
      if (node.nodeType !== ELEMENT) return false
      const shift = shiftOf(node, classes)
      if (shift !== undefined) open.push({ element: node, shift, before, texts: [] })
      return true
    },
    (node) => {
      if (open.at(-1)?.element === node) before = mark(open.pop()!) || before
    },
  )
}

/** Returns the last character of the run. */
function mark({ shift, before, texts: [first, ...others] }: OpenRun): string {
  if (first === undefined) return ''
  const run = [first, ...others].map(({ data }) => data).join('')
  const replacement = run.length > MAX_RUN ? ` ${run}` : plainShifted(run.replaceAll(/\s+/g, ' '), shift, before)
  if (replacement === run) return run.slice(-1)
  first.data = replacement
  for (const other of others) other.data = ''
  return first.data.slice(-1)
}

const ALIGNED = /vertical-align\s*:\s*(super|sub)\b/i

function shiftOf(node: PageNode, classes: ReadonlyMap<string, Shift>): Shift | undefined {
  const name = node.nodeName.toUpperCase()
  if (name === 'SUP') return 'raised'
  if (name === 'SUB') return 'lowered'
  if (node.getAttribute('role') === 'doc-noteref') return 'raised'
  const aligned = alignedIn(node.getAttribute('style') ?? '')
  if (aligned !== undefined) return aligned
  for (const own of classes.size === 0 ? [] : (node.getAttribute('class') ?? '').split(/\s+/)) {
    const shift = classes.get(own)
    if (shift !== undefined) return shift
  }
  const [second, third] = MATH[node.parentNode?.nodeName.toUpperCase() ?? ''] ?? []
  const previous = second === undefined ? null : node.previousElementSibling
  if (previous === null) return undefined
  return previous.previousElementSibling === null ? second : third
}

function alignedIn(declarations: string): Shift | undefined {
  const align = ALIGNED.exec(declarations)?.[1]?.toLowerCase()
  return align === undefined ? undefined : align === 'super' ? 'raised' : 'lowered'
}
