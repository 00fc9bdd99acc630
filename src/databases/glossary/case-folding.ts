import type { Dialect } from '../schema.ts'
import { quoteLiteral } from './dialect.ts'

/**
 * Comparison without case, as the database folds it on both sides: SQLite folds ASCII letters only, PostgreSQL those of
 * its locale.
 */

/** The condition that a cell equals one of some texts. @param cell a text expression */
export function equalsAny(cell: string, sought: readonly string[], dialect: Dialect): string {
  return `lower(${cell}) IN (${sought.map((text) => lowered(text, dialect)).join(', ')})`
}

/** The condition that a cell has a text in it. @param cell a text expression */
export function containsText(cell: string, text: string, dialect: Dialect): string {
  return `${dialect === 'postgres' ? 'STRPOS' : 'INSTR'}(lower(${cell}), ${lowered(text, dialect)}) > 0`
}

function lowered(text: string, dialect: Dialect): string {
  return `lower(${quoteLiteral(text, dialect)})`
}
