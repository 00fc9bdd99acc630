import { isDate, type Attribute, type Entity } from '../../databases/glossary/catalogue.ts'
import type { From } from './from.ts'
import { isToOne, type Path } from './paths.ts'
import { nameOf } from './resolve.ts'

const DUE = /^(?:due|required|expected|promised)$/
const DONE = /^(?:delivered|delivery|return|returned|received|arrived)$/

interface Lateness {
  /** The condition and its assumptions. */
  sql(from: From, path: Path, today: string): readonly [sql: string, assumption: string]
}

interface Dated {
  readonly attribute: Attribute
  readonly path: Path
}

/** Date columns of a table, of its parent tables and of its child tables. */
function datesNear(entity: Entity, name: RegExp): readonly Dated[] {
  const near: readonly Path[] = [[], ...entity.edges.filter(({ to }) => to !== entity).map((edge) => [edge])]
  return near.flatMap((path) =>
    (path.at(-1)?.to ?? entity).attributes
      .filter((one) => isDate(one) && name.test(one.words[0] ?? ''))
      .map((attribute) => ({ attribute, path })),
  )
}

/** Late: done after it was due. Undefined unless there is one date for each. */
export function latenessOf(entity: Entity): Lateness | undefined {
  const [due, done] = [datesNear(entity, DUE), datesNear(entity, DONE)].map((dates) => {
    const own = dates.filter(({ path }) => path.length === 0)
    return own.length > 0 ? own : dates
  })
  const [one, other] = [due?.[0], done?.[0]]
  if (one === undefined || other === undefined || due!.length > 1 || done!.length > 1) return undefined
  if (one.path.length > 0 && (other.path.length > 0 || !isToOne(one.path))) return undefined
  return {
    sql(from, path) {
      const assumption = `late is ${nameOf(other.attribute)} after ${nameOf(one.attribute)}`
      const due = from.column([...path, ...one.path], one.attribute)
      const [edge] = other.path
      if (edge === undefined || edge.kind === 'one')
        return [`${from.column([...path, ...other.path], other.attribute)} > ${due}`, assumption]
      const inner = from.inner(edge.to)
      inner.where.push(from.link(edge, from.alias(path), inner.root), `${inner.column([], other.attribute)} > ${due}`)
      return [`EXISTS (SELECT 1 ${inner.sql()})`, assumption]
    },
  }
}

/** Overdue: due before today, and not paid or done. */
export function overdueOf(entity: Entity): Lateness | undefined {
  const own = (name: RegExp): Attribute[] =>
    entity.attributes.filter((one) => isDate(one) && name.test(one.words[0] ?? ''))
  const [due, ...others] = own(DUE)
  const status = entity.attributes.find(
    (one) => one.column.kind === 'text' && /^(?:status|state)$/.test(one.words.at(-1) ?? ''),
  )
  const [done, ...more] = own(DONE)
  if (due === undefined || others.length > 0 || more.length > 0) return undefined
  if (done === undefined && (status === undefined || !entity.words.some((word) => /^(?:invoice|bill)s?$/.test(word))))
    return undefined
  return {
    sql(from, path, today) {
      const open = done === undefined ? `${from.column(path, status!)} <> 'paid'` : `${from.column(path, done)} IS NULL`
      const rest = done === undefined ? `${nameOf(status!)} is not “paid”` : `${nameOf(done)} is empty`
      return [
        `${from.column(path, due)} < '${today}' AND ${open}`,
        `overdue is ${nameOf(due)} before ${today} where ${rest}`,
      ]
    },
  }
}
