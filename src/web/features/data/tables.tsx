import { useNavigate, useSearch } from '@tanstack/react-router'
import { Eye, Search, Table2 } from 'lucide-react'
import { useState } from 'react'
import { useGet } from '../../app/data.ts'
import { Choice } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { RelatedTables } from './related-tables.tsx'
import { fromParams, toParams, type ColumnType, type TableSelection } from './table-selection.ts'
import { TableRows } from './rows.tsx'

export interface TableInfo {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly {
    readonly name: string
    readonly type: string
    readonly holds: ColumnType
    readonly nullable: boolean
    readonly primaryKey: boolean
  }[]
  readonly foreignKeys: readonly {
    readonly columns: readonly string[]
    readonly table: string
    readonly referencedColumns: readonly string[]
  }[]
  readonly approximateRows?: number
}

/** Where tables are read from: an address of the API; `database` is absent for Tutti's own. */
export interface DatabasePlace {
  readonly path: string
  readonly database?: string
}

/** The tables of a database, the relations of the selected one, and its rows. */
export function Tables({ path, database }: DatabasePlace) {
  const { words, formats } = useWords()
  const [wanted, setWanted] = useState('')
  const navigate = useNavigate()
  const shown = useSearch({ strict: false })
  const { table } = shown
  const tables = useGet<{ dialect: string; items: readonly TableInfo[] }>(`${path}/tables`)
  const show = (look: TableSelection): void => void navigate({ to: '.', search: { database, ...toParams(look) } })
  return (
    <Fetched query={tables}>
      {({ dialect, items }) => {
        // Another one than the link names would be taken for it.
        const current = table === undefined ? items[0] : items.find(({ name }) => name === table)
        if (items.length === 0) return <Empty icon={Table2} title={words.data.noTables} />
        const found = items.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
        return (
          <div className="grid gap-4 lg:grid-cols-[208px_minmax(0,1fr)]">
            <div className="lg:hidden">
              <Choice
                label={words.data.table}
                value={current?.name ?? ''}
                options={Object.fromEntries(
                  [...(current === undefined ? [''] : []), ...items.map(({ name }) => name)].map((name) => [
                    name,
                    name,
                  ]),
                )}
                say={(name) => show({ table: name })}
              />
            </div>
            <nav className="hidden min-h-0 lg:block" aria-label={words.data.tables}>
              <label className="input mb-2">
                <Search size={16} aria-hidden className="text-text-3" />
                <input
                  type="search"
                  className="w-full min-w-0 bg-transparent outline-none"
                  value={wanted}
                  placeholder={words.data.find({ n: items.length })}
                  aria-label={words.data.find({ n: items.length })}
                  onChange={(event) => setWanted(event.target.value)}
                />
              </label>
              <ul>
                {found.map(({ name, kind, approximateRows }) => (
                  <li key={name}>
                    <button
                      type="button"
                      className="nav w-full"
                      aria-current={name === current?.name ? 'page' : undefined}
                      title={name}
                      onClick={() => show({ table: name })}
                    >
                      {kind === 'view' ? (
                        <Eye size={16} aria-hidden className="flex-none" />
                      ) : (
                        <Table2 size={16} aria-hidden className="flex-none" />
                      )}
                      <span className="mono cut flex-1 text-left">{name}</span>
                      {approximateRows === undefined ? null : (
                        <span className="num text-11" title={words.data.estimated}>
                          {words.data.about({ rows: formats.compact(approximateRows) })}
                        </span>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
              {found.length === 0 ? <p className="px-2 text-12 text-text-3">{words.data.noMatch}</p> : null}
              <p className="px-2 pt-3 text-11 text-text-3">{words.data.readOnly({ dialect })}</p>
            </nav>
            <div className="flex min-w-0 flex-col gap-4">
              {current === undefined ? (
                <Empty icon={Table2} title={words.data.noMatch}>
                  {table}
                </Empty>
              ) : (
                <>
                  <RelatedTables tables={items} centre={current} select={(name) => show({ table: name })} />
                  <TableRows
                    key={JSON.stringify(shown)}
                    path={path}
                    {...(database === undefined ? {} : { database })}
                    table={current}
                    look={fromParams(
                      current.name,
                      shown,
                      current.columns.map(({ name }) => name),
                    )}
                    show={show}
                  />
                </>
              )}
            </div>
          </div>
        )
      }}
    </Fetched>
  )
}
