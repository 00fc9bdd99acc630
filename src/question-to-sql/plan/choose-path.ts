import type { Edge, Entity } from '../../terms/catalogue.ts'
import { keyOwner, sameKey, shortestPaths, type Path } from '../../terms/joins.ts'
import { sameWord } from '../../terms/words.ts'
import { listed, refuse } from '../refusal.ts'

/**
 * The path to take, or undefined where none means anything. Of several equally short ones the question's own words decide
 * (`shipping city`); where they do not, it refuses and names the choices.
 */
export function choosePath(from: Entity, to: Entity, hints: readonly string[], via?: Edge): Path | undefined {
  const paths = shortestPaths(from, to)
  if (via !== undefined) {
    const through = paths.filter((p) => p.some((e) => sameKey(e, via)))
    if (through.length > 0) return only(through, from, to)
    const before = choosePath(from, via.from, hints)
    if (via.from !== from && before !== undefined) return [...before, via]
    if (via.from === from) return [via]
  }
  if (paths.length <= 1) return paths[0]
  const named = paths.filter((path) => path.some((edge) => isNamed(edge, hints, paths)))
  return only(named.length > 0 ? named : paths, from, to)
}

function only(paths: readonly Path[], from: Entity, to: Entity): Path {
  const [first, ...others] = paths
  if (first === undefined || others.length > 0) {
    const ways = paths.map((path) => path.map((e) => `${keyOwner(e).table.name}.${e.keyColumn}`).join(' and '))
    refuse(`There are several ways from ${from.nouns} to ${to.nouns}: ${listed(ways)}. Please say which one you mean.`)
  }
  return first
}

/** A word of the key's name that sets it apart from its rivals was used in the question. */
function isNamed(edge: Edge, hints: readonly string[], rivals: readonly Path[]): boolean {
  const others = rivals
    .flat()
    .filter((e) => !sameKey(e, edge))
    .flatMap((e) => e.role)
  const own = edge.role.filter((word) => !others.some((o) => sameWord(o, word)) && !keyOwner(edge).words.includes(word))
  return own.some((word) => !edge.to.words.some((w) => sameWord(w, word)) && hints.some((hint) => sameWord(hint, word)))
}
