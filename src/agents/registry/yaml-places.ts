import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml'
import { fieldName } from './definition.ts'

/** A document that is being read, with what tells the lines of its nodes. */
export interface YamlSource {
  readonly yaml: typeof import('yaml')
  readonly document: Document
  readonly lines: LineCounter
}

/** Where a value stands, and its path as the file spells it. */
export interface Place {
  readonly line: number
  readonly spelled: string
}

/** Parts whose keys are ours; below others, such as a JSON schema, keys stay as they are. */
export const OWN_PARTS: ReadonlySet<string> = new Set(['model', 'prompt'])

/** Finds the key or entry that a path of fields leads to; of a field that is missing, the nearest one around it. */
export function placeOf(source: YamlSource, map: YAMLMap, path: readonly PropertyKey[]): Place {
  const { yaml } = source
  const spelled: string[] = []
  let node: unknown = map
  let named: unknown = map
  let isOwn = true
  for (const step of path) {
    const pair = yaml.isMap(node) ? pairAt(node, step, isOwn) : undefined
    spelled.push(pair === undefined ? String(step) : String(pair.key))
    if (pair !== undefined) [named, node] = [pair.key, pair.value]
    else if (yaml.isSeq(node) && typeof step === 'number') named = node = node.items[step] ?? node
    isOwn = OWN_PARTS.has(String(step))
  }
  return { line: lineOfNode(source, named), spelled: spelled.join('.') }
}

function pairAt(map: YAMLMap, step: PropertyKey, isOwn: boolean): Pair | undefined {
  return map.items.find(({ key }) => String(key) === String(step) || (isOwn && fieldName(String(key)) === step))
}

/** From 1. */
export function lineOfNode({ lines }: Pick<YamlSource, 'lines'>, node: unknown): number {
  const range = (node as Node | null)?.range
  return range === null || range === undefined ? 1 : lines.linePos(range[0]).line
}
