import type { Step } from './steps.ts'

export const NODE = { width: 196, height: 60, gapX: 24, gapY: 44 } as const

export interface PlacedStep {
  readonly step: Step
  readonly x: number
  readonly y: number
}

/** Positions of the steps in pixels from the top left: one row per depth. Rows are centred. */
export function layout(steps: readonly Step[]): { placed: PlacedStep[]; width: number; height: number } {
  const depths = new Map<string, number>()
  const ids = new Set(steps.map(({ id }) => id))
  for (const step of topologicalOrder(steps)) {
    const above = step.after.filter((id) => ids.has(id)).map((id) => depths.get(id) ?? 0)
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

/** Topological order. Also terminates on a cycle, which no valid plan has. */
function topologicalOrder(steps: readonly Step[]): Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const done = new Set<string>()
  const order: Step[] = []
  const visit = (step: Step): void => {
    if (done.has(step.id)) return
    done.add(step.id)
    for (const id of step.after) {
      const dependency = byId.get(id)
      if (dependency !== undefined) visit(dependency)
    }
    order.push(step)
  }
  for (const step of steps) visit(step)
  return order
}
