import type { Edge, Entity } from '../../databases/glossary/catalogue.ts'

/** Steps from one table to another; empty when both are the same. */
export type Path = readonly Edge[]

/** Longest chain of foreign keys that is followed. */
const MAX_STEPS = 6

/**
 * The shortest paths that mean something: from child to parent alone, or else first from parents to children and then to their
 * parents. Never from child to parent and down to other children: every order of a customer is no order of each of their tickets.
 */
export function shortestPaths(from: Entity, to: Entity): readonly Path[] {
  if (from === to) return [[]]
  const parents = search(from, to, false)
  return parents.length > 0 ? parents : search(from, to, true)
}

function search(from: Entity, to: Entity, canGoDown: boolean): readonly Path[] {
  let frontier: readonly Path[] = [[]]
  const visited = new Set<string>()
  for (let step = 0; step < MAX_STEPS && frontier.length > 0; step++) {
    const next: Path[] = []
    const reached = new Set<string>()
    for (const path of frontier) {
      const [at, hasGoneUp] = [path.at(-1)?.to ?? from, path.some(({ kind }) => kind === 'one')]
      for (const edge of at.edges) {
        const state = `${edge.to.table.schema ?? ''}.${edge.to.table.name} ${edge.kind === 'one' || hasGoneUp}`
        const isAllowed = edge.kind === 'one' || (canGoDown && !hasGoneUp)
        if (!isAllowed || edge.to === from || path.some((one) => one.to === edge.to) || visited.has(state)) continue
        reached.add(state)
        next.push([...path, edge])
      }
    }
    const arrived = next.filter((path) => path.at(-1)?.to === to)
    if (arrived.length > 0) return arrived
    for (const state of reached) visited.add(state)
    frontier = next
  }
  return []
}

export const isToMany = ({ kind }: Edge): boolean => kind === 'many'

/** At most one row of the far table for each row of the near one. */
export function isToOne(path: Path): boolean {
  return path.every(({ kind }) => kind === 'one')
}

/** How far a table is; children are further than parents. Undefined: no way. */
export function distance(from: Entity, to: Entity): number | undefined {
  const [path] = shortestPaths(from, to)
  return path?.reduce((sum, { kind }) => sum + (kind === 'one' ? 1 : 10), 0)
}
