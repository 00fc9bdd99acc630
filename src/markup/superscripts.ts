import { plainShifted, type Shift } from '../shared/superscripts.ts'
import { classesWith } from './style-classes.ts'

/** The part of a DOM that is used here; linkedom's own types leave much open. */
interface Node {
  readonly nodeType: number
  readonly nodeName: string
  readonly firstChild: Node | null
  readonly nextSibling: Node | null
  readonly parentNode: Node | null
  readonly previousElementSibling: Node | null
  data: string
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): Iterable<Node>
  readonly textContent: string | null
}

const ELEMENT = 1
const TEXT = 3
/** Characters; longer text is no mark but was set in the wrong element. */
const MAX_RUN = 80

/** Shifts of the second and the third child of an element of MathML. */
const MATH: Readonly<Record<string, readonly Shift[]>> = {
  MSUP: ['raised'],
  MSUB: ['lowered'],
  MSUBSUP: ['lowered', 'raised'],
}

interface OpenRun {
  readonly element: Node
  readonly shift: Shift
  readonly before: string
  readonly texts: Node[]
}

/** Writes superscripts and subscripts of a page as characters (`shifted`), in one walk without recursion. */
export function markSuperscripts(root: unknown): void {
  const top = root as Node
  const classes = classesWith(top, alignedIn)
  const open: OpenRun[] = []
  let before = ''
  let node: Node | null = top.firstChild
  while (node !== null && node !== top) {
    if (node.nodeType === TEXT) {
      for (const { texts } of open) texts.push(node)
      before = node.data.slice(-1) || before
    } else if (node.nodeType === ELEMENT && node.firstChild !== null) {
      const shift = shiftOf(node, classes)
      if (shift !== undefined) open.push({ element: node, shift, before, texts: [] })
      node = node.firstChild
      continue
    }
    while (node !== null && node !== top && node.nextSibling === null) {
      node = node.parentNode
      if (node !== null && open.at(-1)?.element === node) before = mark(open.pop()!) || before
    }
    if (node !== null && node !== top) node = node.nextSibling
  }
}

/** Returns the last character of the run. */
function mark({ shift, before, texts: [first, ...others] }: OpenRun): string {
  if (first === undefined) return ''
  const run = [first, ...others].map(({ data }) => data).join('')
  const shown = run.length > MAX_RUN ? ` ${run}` : plainShifted(run.replaceAll(/\s+/g, ' '), shift, before)
  if (shown === run) return run.slice(-1)
  first.data = shown
  for (const other of others) other.data = ''
  return first.data.slice(-1)
}

const ALIGNED = /vertical-align\s*:\s*(super|sub)\b/i

function shiftOf(node: Node, classes: ReadonlyMap<string, Shift>): Shift | undefined {
  const name = node.nodeName.toUpperCase()
  if (name === 'SUP') return 'raised'
  if (name === 'SUB') return 'lowered'
  // Marks of notes, which the style sheet of a book raises.
  if (node.getAttribute('role') === 'doc-noteref' || node.getAttribute('epub:type') === 'noteref') return 'raised'
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
