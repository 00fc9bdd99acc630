import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly title: string
  /** Whether the cells are figures, which are aligned on the right. */
  readonly isFigure?: boolean
  readonly cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
}

/** A table that scrolls sideways where it is too wide. */
export function DataTable<Row>({ label, rows, keyOf, columns }: DataTableProps<Row>) {
  const styleOf = ({ isFigure = false }: Column<Row>): string =>
    isFigure ? 'r whitespace-nowrap' : 'whitespace-nowrap'
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="table [&_:is(th,td):not(:first-child,:last-child)]:px-2">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} className={styleOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} className={styleOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
