import { ChevronLeft, ChevronRight, Code2, MessageSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { useGet, type Answer } from '../../app/data.ts'
import { LinkButton, IconButton } from '../../ui/button.tsx'
import { Hint, Cut } from '../../ui/list.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords, type Localization } from '../../locales/words.tsx'
import { useAbout } from '../chat/use-agents.ts'
import { digitsOf, formatCell } from '../chat/table-view.ts'
import { FilterChip, FilterForm, SortHead } from './filters.tsx'
import { rowsPath, type TableInfo, type TableSelection } from './table-selection.ts'
import type { DatabasePlace } from './tables.tsx'

/** Rows per page. */
const PAGE_SIZE = 50

type Page = Answer<'GET /databases/{database}/tables/{table}/rows'>

interface RowsProps extends DatabasePlace {
  readonly table: TableInfo
  readonly selection: TableSelection
  readonly show: (selection: TableSelection) => void
}

/** The rows of a table, page by page. A press on a foreign key shows the row that it references. */
export function TableRows({ path, database, table, selection, show }: RowsProps) {
  const locale = useWords()
  const { words, formats, english } = locale
  const [offset, setOffset] = useState(0)
  const [isFiltering, setFiltering] = useState(false)
  // Without a model, questions are answered by rules that read only English.
  const askAbout = useAbout()?.model === undefined ? english.data.askAbout : words.data.askAbout
  const { filters = [], sort } = selection
  const rows = useGet<Page>(rowsPath(path, selection, PAGE_SIZE, offset))
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
            remove={() => show({ ...selection, filters: filters.filter((_, place) => place !== at) })}
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
              <LinkButton
                to="/data/$part"
                params={{ part: 'console' }}
                search={{ database, sql: rows.data.sql }}
                label={words.data.asSql}
                icon={Code2}
                className="btn-sm"
                title={words.data.asSqlHint}
              />
            )}
            <LinkButton
              to="/"
              search={{ q: askAbout({ table: table.name }) }}
              label={words.data.ask}
              icon={MessageSquare}
              className="btn-sm"
            />
          </span>
        )}
      </header>
      {isFiltering ? (
        <FilterForm table={table} add={(filter) => show({ ...selection, filters: [...filters, filter] })} />
      ) : null}
      <Fetched query={rows}>
        {({ columns, rows: all, hasMore }) => {
          const format = cellFormatter({ columns, rows: all }, table, locale)
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
                          onChange={(to) => show({ ...selection, sort: to })}
                        />
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((row, at) => (
                      <tr key={at}>
                        {row.map((cell, place) => {
                          const key = keys.get(columns[place]!)
                          const text = format(cell, columns[place]!)
                          const side = sideOf(all, place)
                          return (
                            <td key={columns[place]} className={side}>
                              {key === undefined || cell === null ? (
                                <Cut
                                  text={text}
                                  title={text.length > 30 || text !== plain(cell ?? '–') ? plain(cell) : ''}
                                  className={`block max-w-72 ${side === '' ? '' : 'ml-auto'}`}
                                />
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
              {all.length === 0 ? <Hint>{words.answer.noRows}</Hint> : null}
              {offset === 0 && !hasMore ? null : (
                <footer className="flex items-center justify-end gap-2 border-t border-line px-4 py-2 text-12 text-text-2">
                  <span className="num">
                    {first}–{last}
                  </span>
                  <IconButton
                    icon={ChevronLeft}
                    label={words.data.before}
                    disabled={offset === 0}
                    onClick={() => setOffset(offset - PAGE_SIZE)}
                  />
                  <IconButton
                    icon={ChevronRight}
                    label={words.data.next}
                    disabled={!hasMore}
                    onClick={() => setOffset(offset + PAGE_SIZE)}
                  />
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

/** The text that a filter compares with. */
function plain(cell: unknown): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** Returns a function that formats cells in the user's language. Keys are not formatted. */
function cellFormatter(
  { columns, rows }: Pick<Page, 'columns' | 'rows'>,
  { columns: types, foreignKeys }: TableInfo,
  locale: Localization,
) {
  const table = { columns, rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))) }
  const keyColumns = new Set(foreignKeys.flatMap((key) => key.columns))
  const digits = new Map(
    types.map(({ name, type, primaryKey }) => {
      const isNumeric = /int|num|dec|real|doub|float|money/i.test(type) && !primaryKey && !keyColumns.has(name)
      return [name, isNumeric ? digitsOf({ ...table, rowCount: rows.length }, name) : undefined]
    }),
  )
  return (cell: unknown, column: string): string => formatCell(cell, digits.get(column), locale)
}
