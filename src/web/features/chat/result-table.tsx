import { useVirtualizer } from '@tanstack/react-virtual'
import { BarChart3, Code2, Download, Table2, type LucideIcon } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Table } from '../../../client/run.ts'
import { IconButton } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../locales/words.tsx'
import { Query } from '../../ui/code.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { chartOf, csvOf, isNumericColumn, visibleRows, cellFormat, type Sort } from './table-view.ts'

type Look = 'table' | 'chart' | 'sql'

interface ResultTableProps {
  readonly table: Table
  readonly sql?: string | undefined
  /** Where the query can be run again. */
  readonly database?: string | undefined
  /** A series is shown as a chart at first, where nothing else is said. */
  readonly first?: Look
}

/** The rows of an answer: sorted and filtered by the reader, as a chart where they are a series, with the query behind them. */
export default function ResultTable({ table, sql, database, first }: ResultTableProps) {
  const locale = useWords()
  const { words, formats } = locale
  const chart = useMemo(() => chartOf(table, locale), [table, locale])
  // A series says more as a line than as a column of figures.
  const [look, setLook] = useState<Look>(first ?? (chart?.isSeries === true ? 'chart' : 'table'))
  const title =
    table.truncated === true
      ? words.reading.firstRows({ n: formats.number(table.rows.length) })
      : words.step.rows({ n: formats.number(table.rowCount), isOne: table.rowCount === 1 })
  const views: readonly (readonly [Look, string, LucideIcon])[] = [
    ['table', words.answer.table, Table2],
    ...(chart === undefined ? [] : [['chart', words.answer.chart, BarChart3] as const]),
    ...(sql === undefined ? [] : [['sql', words.answer.sql, Code2] as const]),
  ]
  return (
    <section className="card overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="text-13 font-semibold">{title}</h2>
        <div className="ml-auto flex items-center gap-2">
          {views.length === 1 ? null : <Segments value={look} options={views} change={setLook} />}
          <DownloadMenu table={table} />
        </div>
      </header>
      {look === 'table' ? <ResultRows table={table} /> : null}
      {look === 'chart' && chart !== undefined ? (
        <div className="p-4">
          <Chart chart={chart.data} />
        </div>
      ) : null}
      {look === 'sql' ? (
        <div className="p-3">
          <Query sql={sql!} database={database} />
        </div>
      ) : null}
      {table.truncated === true ? (
        <p className="border-t border-line px-4 py-2 text-12 text-warn">
          {words.answer.cut({ shown: formats.number(table.rows.length) })}
        </p>
      ) : null}
    </section>
  )
}

/** The rows as a file of the person's choice. */
function DownloadMenu({ table }: { table: Table }) {
  const { words } = useWords()
  const saveXlsx = async (): Promise<void> => {
    const { createXlsx } = await import('../../ui/xlsx.ts')
    saveFile('table.xlsx', createXlsx(table))
  }
  const saveCsv = (): void => saveFile('table.csv', new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }))
  return (
    <Menu button={<IconButton icon={Download} label={words.reading.download} className="no-print btn-sm" />}>
      <MenuItem label={words.reading.asXlsx} onSelect={() => void saveXlsx()} />
      <MenuItem label={words.reading.asCsv} onSelect={saveCsv} />
    </Menu>
  )
}

const ROW = 37
/** From here on only the rows in sight are drawn. */
const MANY = 12

/** The rows, sorted and filtered by the reader. */
export function ResultRows({ table }: { table: Table }) {
  const locale = useWords()
  const { words } = locale
  const [sort, setSort] = useState<Sort | undefined>()
  const [filter, setFilter] = useState('')
  const writes = useMemo(
    () => new Map(table.columns.map((column) => [column, cellFormat(table, column, locale)])),
    [table, locale],
  )
  const rows = useMemo(() => visibleRows(table, filter, sort, writes), [table, filter, sort, writes])
  const sides = useMemo(
    () => new Map(table.columns.map((column) => [column, isNumericColumn(table, column) ? 'r' : ''])),
    [table],
  )
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  })
  const visible = virtual.getVirtualItems()
  const before = visible[0]?.start ?? 0
  const after = virtual.getTotalSize() - (visible.at(-1)?.end ?? 0)
  const toggle = (column: string): void =>
    setSort(sort?.column !== column ? { column, isDown: false } : sort.isDown ? undefined : { column, isDown: true })
  return (
    <>
      {table.rows.length > MANY ? (
        <div className="border-b border-line p-2">
          <input
            className="input"
            type="search"
            value={filter}
            placeholder={words.answer.filter}
            aria-label={words.answer.filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      ) : null}
      <div ref={box} className="max-h-112 overflow-auto" tabIndex={0}>
        <table className="table">
          <thead className="sticky top-0 z-1">
            <tr>
              {table.columns.map((column) => (
                <th
                  key={column}
                  className={sides.get(column)}
                  aria-sort={sort?.column !== column ? 'none' : sort.isDown ? 'descending' : 'ascending'}
                >
                  <button type="button" onClick={() => toggle(column)}>
                    {column.replaceAll('_', ' ')}
                    {sort?.column === column ? (sort.isDown ? ' ↓' : ' ↑') : ''}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer height={before} columns={table.columns.length} />
            {visible.map(({ index }) => (
              <tr key={index}>
                {table.columns.map((column) => (
                  <td key={column} className={sides.get(column)}>
                    {writes.get(column)!(rows[index]![column])}
                  </td>
                ))}
              </tr>
            ))}
            <Spacer height={after} columns={table.columns.length} />
          </tbody>
        </table>
        {rows.length > 0 ? null : (
          <p className="px-4 py-6 text-center text-13 text-text-2">
            {table.rows.length === 0 ? words.answer.noRows : words.answer.noMatch}
          </p>
        )}
      </div>
    </>
  )
}

/** In place of rows that are not rendered. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}
