import type { Step } from './steps.ts'

export const NODE = { width: 196, height: 60, gapX: 24, gapY: 44 } as const

export interface Placed {
  readonly step: Step
  readonly x: number
  readonly y: number
}

/** Where each step stands: one row for each depth, rows centred above each other. Pixels from the top left. */
export function layout(steps: readonly Step[]): { placed: Placed[]; width: number; height: number } {
  const depths = new Map<string, number>()
  const known = new Set(steps.map(({ id }) => id))
  for (const step of inOrder(steps)) {
    const above = step.after.filter((id) => known.has(id)).map((id) => depths.get(id) ?? 0)
    depths.set(step.id, above.length === 0 ? 0 : Math.max(...above) + 1)
  }
  const rows: Step[][] = []
  for (const step of steps) (rows[depths.get(step.id)!] ??= []).push(step)
  const widths = rows.map((row) => row.length * (NODE.width + NODE.gapX) - NODE.gapX)
  const width = Math.max(0, ...widths)
  const placed = rows.flatMap((row, depth) =>
    row.map((step, place) => ({
      step,
      x: (width - widths[depth]!) / 2 + place * (NODE.width + NODE.gapX),
      y: depth * (NODE.height + NODE.gapY),
    })),
  )
  return { placed, width, height: rows.length * (NODE.height + NODE.gapY) - NODE.gapY }
}

/** Each after those it rests on; what is left of a circle, which no plan has, comes last. */
function inOrder(steps: readonly Step[]): Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const done = new Set<string>()
  const order: Step[] = []
  const visit = (step: Step): void => {
    if (done.has(step.id)) return
    done.add(step.id)
    for (const id of step.after) {
      const before = byId.get(id)
      if (before !== undefined) visit(before)
    }
    order.push(step)
  }
  for (const step of steps) visit(step)
  return order
}
