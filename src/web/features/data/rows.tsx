import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Filter, MessageSquare, X } from 'lucide-react'
import { useState } from 'react'
import { useGet } from '../../app/data.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { en } from '../../words/en.ts'
import { useWords, type Spoken } from '../../words/words.tsx'
import { useAbout } from '../chat/use-about.ts'
import { digitsOf, shownCell } from '../chat/table-view.ts'
import type { Look, TableInfo } from './tables.tsx'

const PAGE = 50

interface Page {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly hasMore: boolean
}

interface RowsProps {
  readonly database: string
  readonly table: TableInfo
  readonly look: Look
  readonly show: (look: Look) => void
}

/** The rows of a table, page by page. A key leads to the row of the other table that it names. */
export function Rows({ database, table, look, show }: RowsProps) {
  const spoken = useWords()
  const { words, formats } = spoken
  const [offset, setOffset] = useState(0)
  const [isFiltering, setFiltering] = useState(false)
  // Without a model rules answer, and they read English alone.
  const askAbout = useAbout()?.model === undefined ? en.data.askAbout : words.data.askAbout
  const { column, value } = look
  const asked = new URLSearchParams({
    limit: String(PAGE),
    offset: String(offset),
    ...(column === undefined || value === undefined ? {} : { column, value }),
  })
  const path = `/databases/${encodeURIComponent(database)}/tables/${encodeURIComponent(table.name)}/rows?${asked}`
  const rows = useGet<Page>(path)
  const keys = new Map(
    table.foreignKeys.flatMap(({ columns, table: to, referencedColumns }) =>
      columns.length === 1 ? [[columns[0]!, { table: to, column: referencedColumns[0] }] as const] : [],
    ),
  )
  const first = formats.number(offset + 1)
  const last = formats.number(offset + (rows.data?.rows.length ?? 0))
  return (
    <section className="card overflow-hidden" aria-label={words.data.rowsOf(table.name)}>
      <header className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="mono font-semibold">{table.name}</h2>
        {column === undefined || value === undefined ? (
          <button type="button" className="chip" aria-expanded={isFiltering} onClick={() => setFiltering(!isFiltering)}>
            <Filter size={14} aria-hidden />
            {words.data.filter}
          </button>
        ) : (
          <button
            type="button"
            className="chip"
            aria-pressed
            title={words.data.unfilter}
            aria-label={`${words.data.unfilter}: ${column} = ${value}`}
            onClick={() => show({ table: table.name })}
          >
            <span className="cut">
              {column} = {value}
            </span>
            <X size={12} aria-hidden />
          </button>
        )}
        <Link to="/" search={{ q: askAbout(table.name) }} className="btn btn-sm ml-auto">
          <MessageSquare size={14} aria-hidden />
          {words.data.ask}
        </Link>
      </header>
      {isFiltering && column === undefined ? <FilterForm table={table} show={show} /> : null}
      <Fetched query={rows}>
        {({ columns, rows: all, hasMore }) => {
          const written = writing({ columns, rows: all, hasMore }, table, spoken)
          return (
            <>
              <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={words.data.rowsOf(table.name)}>
                <table className="table">
                  <thead>
                    <tr>
                      {columns.map((name, place) => (
                        <th key={name} className={`mono ${sideOf(all, place)}`}>
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((row, at) => (
                      <tr key={at}>
                        {row.map((cell, place) => {
                          const key = keys.get(columns[place]!)
                          const text = written(cell, columns[place]!)
                          return (
                            <td key={columns[place]} className={sideOf(all, place)}>
                              {key === undefined || cell === null ? (
                                <span
                                  className="cut block max-w-72"
                                  title={text.length > 30 || text !== plain(cell ?? '–') ? plain(cell) : undefined}
                                >
                                  {text}
                                </span>
                              ) : (
                                <button
                                  type="button"
                                  className="text-accent-text underline"
                                  onClick={() =>
                                    show({
                                      table: key.table,
                                      ...(key.column === undefined ? {} : { column: key.column, value: plain(cell) }),
                                    })
                                  }
                                >
                                  {text}
                                </button>
                              )}
                            </td>
                          )
                        })}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {all.length === 0 ? (
                <p className="px-4 py-6 text-center text-13 text-text-2">{words.answer.noRows}</p>
              ) : null}
              {offset === 0 && !hasMore ? null : (
                <footer className="flex items-center justify-end gap-2 border-t border-line px-4 py-2 text-12 text-text-2">
                  <span className="num">
                    {first}–{last}
                  </span>
                  <button
                    type="button"
                    className="btn btn-icon btn-sm"
                    aria-label={words.data.before}
                    disabled={offset === 0}
                    onClick={() => setOffset(offset - PAGE)}
                  >
                    <ChevronLeft size={14} aria-hidden />
                  </button>
                  <button
                    type="button"
                    className="btn btn-icon btn-sm"
                    aria-label={words.data.next}
                    disabled={!hasMore}
                    onClick={() => setOffset(offset + PAGE)}
                  >
                    <ChevronRight size={14} aria-hidden />
                  </button>
                </footer>
              )}
            </>
          )
        }}
      </Fetched>
    </section>
  )
}

function FilterForm({ table, show }: Pick<RowsProps, 'table' | 'show'>) {
  const { words } = useWords()
  const [column, setColumn] = useState(table.columns[0]?.name ?? '')
  const [value, setValue] = useState('')
  return (
    <form
      className="grid items-end gap-3 border-b border-line bg-surface-2 p-4 sm:grid-cols-[1fr_1fr_auto]"
      onSubmit={(event) => {
        event.preventDefault()
        show({ table: table.name, column, value })
      }}
    >
      <Choice
        label={words.data.column}
        value={column}
        options={Object.fromEntries(table.columns.map(({ name }) => [name, name]))}
        say={setColumn}
      />
      <Field label={words.data.is} required value={value} say={setValue} />
      <button type="submit" className="btn btn-primary h-9">
        {words.data.filter}
      </button>
    </form>
  )
}

/** Numbers stand below each other by their ends, and so does what is missing among them. */
function sideOf(rows: Page['rows'], place: number): string {
  return rows.some((row) => typeof row[place] === 'number') ? 'r' : ''
}

/** As it is looked for. */
function plain(cell: unknown): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** How the cells of each column are written: keys to the letter, numbers, days and whether something is so by the language. */
function writing({ columns, rows }: Page, { columns: types, foreignKeys }: TableInfo, spoken: Spoken) {
  const named = { columns, rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))) }
  const ofKeys = new Set(foreignKeys.flatMap((key) => key.columns))
  const digits = new Map(
    types.map(({ name, type, primaryKey }) => {
      const isOfNumbers = /int|num|dec|real|doub|float|money/i.test(type) && !primaryKey && !ofKeys.has(name)
      return [name, isOfNumbers ? digitsOf({ ...named, rowCount: rows.length }, name) : undefined]
    }),
  )
  return (cell: unknown, column: string): string => shownCell(cell, digits.get(column), spoken)
}
