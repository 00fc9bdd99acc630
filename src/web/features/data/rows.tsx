import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Code2, MessageSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useGet } from '../../app/data.ts'
import { Fetched } from '../../ui/page.tsx'
import { useWords, type Localization } from '../../locales/words.tsx'
import { useAbout } from '../chat/use-agents.ts'
import { digitsOf, formatCell } from '../chat/table-view.ts'
import { FilterChip, FilterForm, SortHead } from './filters.tsx'
import { rowsPath, type TableSelection } from './table-selection.ts'
import type { DatabasePlace, TableInfo } from './tables.tsx'

const PAGE = 50

interface Page {
  readonly sql: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly hasMore: boolean
}

interface RowsProps extends DatabasePlace {
  readonly table: TableInfo
  readonly look: TableSelection
  readonly show: (look: TableSelection) => void
}

/** The rows of a table, page by page. A key leads to the row of the other table that it names. */
export function TableRows({ path, database, table, look, show }: RowsProps) {
  const spoken = useWords()
  const { words, formats, english } = spoken
  const [offset, setOffset] = useState(0)
  const [isFiltering, setFiltering] = useState(false)
  // Without a model rules answer, and they read English alone.
  const askAbout = useAbout()?.model === undefined ? english.data.askAbout : words.data.askAbout
  const { filters = [], sort } = look
  const rows = useGet<Page>(rowsPath(path, look, PAGE, offset))
  const keys = new Map(
    table.foreignKeys.flatMap(({ columns, table: to, referencedColumns }) =>
      columns.length === 1 ? [[columns[0]!, { table: to, column: referencedColumns[0] }] as const] : [],
    ),
  )
  const first = formats.number(offset + 1)
  const last = formats.number(offset + (rows.data?.rows.length ?? 0))
  return (
    <section className="card overflow-hidden" aria-label={words.data.rowsOf({ table: table.name })}>
      <header className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="mono font-semibold">{table.name}</h2>
        {filters.map((filter, at) => (
          <FilterChip
            key={at}
            filter={filter}
            remove={() => show({ ...look, filters: filters.filter((_, place) => place !== at) })}
          />
        ))}
        <button
          type="button"
          className="chip border-dashed"
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          <Plus size={14} aria-hidden />
          {words.data.filter}
        </button>
        {database === undefined ? null : (
          <span className="ml-auto flex gap-2">
            {rows.data === undefined ? null : (
              <Link
                to="/data/$part"
                params={{ part: 'console' }}
                search={{ database, sql: rows.data.sql }}
                className="btn btn-sm"
                title={words.data.asSqlHint}
              >
                <Code2 size={14} aria-hidden />
                {words.data.asSql}
              </Link>
            )}
            <Link to="/" search={{ q: askAbout({ table: table.name }) }} className="btn btn-sm">
              <MessageSquare size={14} aria-hidden />
              {words.data.ask}
            </Link>
          </span>
        )}
      </header>
      {isFiltering ? (
        <FilterForm table={table} add={(filter) => show({ ...look, filters: [...filters, filter] })} />
      ) : null}
      <Fetched query={rows}>
        {({ columns, rows: all, hasMore }) => {
          const written = writing({ columns, rows: all }, table, spoken)
          return (
            <>
              <div
                className="overflow-x-auto"
                tabIndex={0}
                role="group"
                aria-label={words.data.rowsOf({ table: table.name })}
              >
                <table className="table">
                  <thead>
                    <tr>
                      {columns.map((name, place) => (
                        <SortHead
                          key={name}
                          name={name}
                          side={sideOf(all, place)}
                          sort={sort}
                          say={(to) => show({ ...look, sort: to })}
                        />
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
                                      ...(key.column === undefined
                                        ? {}
                                        : { filters: [{ column: key.column, how: 'is', value: plain(cell) }] }),
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

/** Numbers are right-aligned, including empty cells among them. */
function sideOf(rows: Page['rows'], place: number): string {
  return rows.some((row) => typeof row[place] === 'number') ? 'r' : ''
}

/** As it is looked for. */
function plain(cell: unknown): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** How the cells of each column are written: keys to the letter, numbers, days and whether something is so by the language. */
function writing(
  { columns, rows }: Pick<Page, 'columns' | 'rows'>,
  { columns: types, foreignKeys }: TableInfo,
  spoken: Localization,
) {
  const named = { columns, rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))) }
  const ofKeys = new Set(foreignKeys.flatMap((key) => key.columns))
  const digits = new Map(
    types.map(({ name, type, primaryKey }) => {
      const isOfNumbers = /int|num|dec|real|doub|float|money/i.test(type) && !primaryKey && !ofKeys.has(name)
      return [name, isOfNumbers ? digitsOf({ ...named, rowCount: rows.length }, name) : undefined]
    }),
  )
  return (cell: unknown, column: string): string => formatCell(cell, digits.get(column), spoken)
}
