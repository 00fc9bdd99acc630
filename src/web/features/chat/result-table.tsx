import { useVirtualizer } from '@tanstack/react-virtual'
import { BarChart3, Code2, Download, Table2, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useMemo, useRef, useState } from 'react'
import type { Table } from '../../../client/run.ts'
import { Chart } from '../../ui/chart.tsx'
import { useWords } from '../../locales/words.tsx'
import { Query } from '../../ui/query.tsx'
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
  const spoken = useWords()
  const { words, formats } = spoken
  const chart = useMemo(() => chartOf(table, spoken), [table, spoken])
  // A series says more as a line than as a column of figures.
  const [look, setLook] = useState<Look>(first ?? (chart?.isSeries === true ? 'chart' : 'table'))
  const title =
    table.truncated === true
      ? words.reading.firstRows({ n: formats.number(table.rows.length) })
      : words.step.rows({ n: formats.number(table.rowCount), isOne: table.rowCount === 1 })
  const views: readonly (readonly [Look, LucideIcon, string])[] = [
    ['table', Table2, words.answer.table],
    ...(chart === undefined ? [] : [['chart', BarChart3, words.answer.chart] as const]),
    ...(sql === undefined ? [] : [['sql', Code2, words.answer.sql] as const]),
  ]
  return (
    <section className="card overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="text-13 font-semibold">{title}</h2>
        <div className="ml-auto flex items-center gap-2">
          {views.length === 1 ? null : (
            <div className="no-print seg">
              {views.map(([name, Icon, label]) => (
                <button key={name} type="button" aria-pressed={look === name} onClick={() => setLook(name)}>
                  <Icon size={14} aria-hidden />
                  {label}
                </button>
              ))}
            </div>
          )}
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
    const { xlsxOf } = await import('../../ui/xlsx.ts')
    saveFile('table.xlsx', xlsxOf(table))
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="no-print btn btn-ghost btn-icon btn-sm"
        title={words.reading.download}
        aria-label={words.reading.download}
      >
        <Download size={16} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          <DropdownMenu.Item onSelect={() => void saveXlsx()}>{words.reading.asXlsx}</DropdownMenu.Item>
          <DropdownMenu.Item
            onSelect={() => saveFile('table.csv', new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }))}
          >
            {words.reading.asCsv}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const ROW = 37
/** From here on only the rows in sight are drawn. */
const MANY = 12

/** The rows, sorted and filtered by the reader. */
export function ResultRows({ table }: { table: Table }) {
  const spoken = useWords()
  const { words } = spoken
  const [sort, setSort] = useState<Sort | undefined>()
  const [filter, setFilter] = useState('')
  const writes = useMemo(
    () => new Map(table.columns.map((column) => [column, cellFormat(table, column, spoken)])),
    [table, spoken],
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
  const inSight = virtual.getVirtualItems()
  const before = inSight[0]?.start ?? 0
  const after = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0)
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
            {before > 0 ? (
              <tr aria-hidden>
                <td colSpan={table.columns.length} style={{ height: before, padding: 0 }} />
              </tr>
            ) : null}
            {inSight.map(({ index }) => (
              <tr key={index}>
                {table.columns.map((column) => (
                  <td key={column} className={sides.get(column)}>
                    {writes.get(column)!(rows[index]![column])}
                  </td>
                ))}
              </tr>
            ))}
            {after > 0 ? (
              <tr aria-hidden>
                <td colSpan={table.columns.length} style={{ height: after, padding: 0 }} />
              </tr>
            ) : null}
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
