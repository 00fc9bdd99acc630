import type { Edge, Entity } from './catalogue.ts'

/** Steps from one table to another; empty when both are the same. */
export type Path = readonly Edge[]

/** Longest chain of foreign keys that is followed. */
const MAX_STEPS = 6

/**
 * Which shapes of path mean something. `m` goes from parent to children, `o` from child to parent, `xy` crosses a
 * table that only links. Never from child to parent and down to other children: tickets → customer → orders would call
 * every order of a customer an order of each of the customer's tickets.
 */
const MEANINGFUL_SO_FAR = /^(xy)?[mx]*[oy]*(x|xy)?$/
const MEANINGFUL = /^(xy)?[mx]*[oy]*(xy)?$/

/** All meaningful paths of the least length; those without a one-to-many step come first, whatever their length. */
export function shortestPaths(from: Entity, to: Entity): readonly Path[] {
  if (from === to) return [[]]
  const safe = search(from, to, (edge) => edge.kind === 'one')
  return safe.length > 0 ? safe : search(from, to, () => true)
}

function search(from: Entity, to: Entity, allowed: (edge: Edge) => boolean): readonly Path[] {
  const reachedAt = new Map<string, number>()
  let frontier: { readonly at: Entity; readonly path: Path; readonly shape: string }[] = [
    { at: from, path: [], shape: '' },
  ]
  for (let step = 1; step <= MAX_STEPS && frontier.length > 0; step++) {
    const next: typeof frontier = []
    for (const { at, path, shape } of frontier) {
      for (const edge of at.edges) {
        if (!allowed(edge) || edge.to === from || path.some((e) => e.to === edge.to)) continue
        const grown = shape + letter(edge)
        if (!MEANINGFUL_SO_FAR.test(grown)) continue
        const state = `${edge.to.table.schema ?? ''}.${edge.to.table.name} ${grown.replaceAll(/(.)\1+/g, '$1')}`
        if ((reachedAt.get(state) ?? step) < step) continue
        reachedAt.set(state, step)
        next.push({ at: edge.to, path: [...path, edge], shape: grown })
      }
    }
    const arrived = next.filter((n) => n.at === to && MEANINGFUL.test(n.shape))
    if (arrived.length > 0) return arrived.map((n) => n.path)
    frontier = next
  }
  return []
}

function letter(edge: Edge): string {
  if (edge.kind === 'many') return edge.to.junction ? 'x' : 'm'
  return edge.from.junction ? 'y' : 'o'
}

/** At most one row of the far table for each row of the near one. */
export function isToOne(path: Path): boolean {
  return path.every((edge) => edge.kind === 'one')
}

/** Does the path multiply rows only by crossing one linking table, so that no pair is met twice? */
export function isLinkedOnce(path: Path): boolean {
  return /^o*xyo*$/.test(path.map(letter).join(''))
}

/** The table that holds the key. */
export function keyOwner(edge: Edge): Entity {
  return edge.kind === 'one' ? edge.from : edge.to
}

export function sameKey(a: Edge, b: Edge): boolean {
  return a.keyColumn === b.keyColumn && keyOwner(a) === keyOwner(b)
}

/** How far a table is, in costs: children cost more than parents, since they multiply rows. Undefined: no way. */
export function distance(from: Entity, to: Entity): number | undefined {
  const [path] = shortestPaths(from, to)
  return path?.reduce((sum, edge) => sum + (edge.kind === 'one' ? 10 : 25), 0)
}
