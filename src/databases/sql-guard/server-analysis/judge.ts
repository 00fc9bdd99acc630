import { checkBulk } from './result-size.ts'
import { FIXED, HARMLESS, OBJECTS, SUSPICIOUS, TAGS, type Kind } from './tree-fields.ts'
import { fail, isNode, type ParseNode, type ParseValue } from './tree.ts'

/** Object IDs that a query may use, by kind; functions with their names. */
export type AllowedObjects = Readonly<Record<Kind, ReadonlyMap<string, string>>>

/** Something that the server would use for the query and that is on no list. */
export interface Violation {
  readonly kind: Kind
  readonly id: string
}

/**
 * Walks a parse tree and gives everything in it that is on no list.
 * @throws UnreadableTree for a part that is not known; Refusal for a call that would build something huge
 */
export function findViolations(tree: ParseNode, allowed: AllowedObjects): Violation[] {
  const violations: Violation[] = []
  const nameOf = ({ fields }: ParseNode): string | undefined => allowed.function.get(String(fields.get('funcid')))
  const bulk = { widest: 1 }
  const visit = (value: ParseValue): void => {
    if (isNode(value)) visitNode(value)
    else if (typeof value !== 'string') value.forEach(visit)
  }
  const hold = (kind: Kind, id: ParseValue): void => {
    if (typeof id !== 'string' || !/^\d+$/.test(id)) fail('an object id cannot be read')
    if (id !== '0' && !allowed[kind].has(id)) violations.push({ kind, id })
  }
  const visitNode = (node: ParseNode): void => {
    const { tag, fields } = node
    if (!TAGS.has(tag)) fail(`${tag} is not among the parts of a query that are allowed`)
    for (const [name, value] of fields) {
      const full = `${tag}.${name}`
      const kind = OBJECTS[name] ?? OBJECTS[full]
      const fixed = FIXED[name] ?? FIXED[full]
      if (kind !== undefined) for (const id of idsOf(value)) hold(kind, id)
      else if (fixed !== undefined) {
        if (typeof value !== 'string' || !fixed.has(value)) fail(`${full} is something that a query may not have`)
      } else if (SUSPICIOUS.test(name) && !HARMLESS.has(name)) fail(`${full} is not known`)
      visit(value)
    }
    if (tag === 'VAR' && String(fields.get('varattno')).startsWith('-')) {
      fail("it reads a system column; only the tables' own columns are allowed")
    }
    const functionName = tag === 'FUNCEXPR' ? nameOf(node) : undefined
    const args = fields.get('args')
    if (functionName !== undefined) checkBulk(bulk, functionName, Array.isArray(args) ? args : [], nameOf)
  }
  visit(tree)
  return violations
}

/** One id, a list of ids that begins with its kind, or nothing. */
function idsOf(value: ParseValue): readonly ParseValue[] {
  if (value === '<>') return []
  if (!Array.isArray(value)) return [value]
  const [kind, ...ids] = value as readonly ParseValue[]
  return kind === 'o' ? ids : fail('a list of object ids cannot be read')
}
