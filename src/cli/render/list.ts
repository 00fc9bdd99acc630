import type { Output } from '../output.ts'
import { renderTable } from './table.ts'

/** Prints rows as a table that fits the terminal. Ids are never cut: they are there to be typed. */
export function printList<C extends string>(
  out: Output,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, unknown>>[],
): void {
  const { bold, dim } = out.style
  const layout = { width: out.width(), maxRows: Infinity, whole: ['id'], bold, dim }
  out.line(renderTable({ columns, rows, rowCount: rows.length }, layout))
}
