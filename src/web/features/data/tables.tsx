import { useNavigate, useSearch } from '@tanstack/react-router'
import { Eye, Table2 } from 'lucide-react'
import { useState } from 'react'
import { useGet, type Answer } from '../../app/data.ts'
import { Choice, optionsOf, SearchField } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { RelatedTables } from './related-tables.tsx'
import { fromParams, toParams, type TableInfo, type TableSelection } from './table-selection.ts'
import { TableRows } from './rows.tsx'

/** The API path of the tables. `database` is absent for Tutti's own tables. */
export interface DatabasePlace {
  readonly path: string
  readonly database?: string
}

/** The tables of a database, the relations of the selected one, and its rows. */
export function Tables({ path, database }: DatabasePlace) {
  const { words, formats } = useWords()
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const params = useSearch({ strict: false })
  const { table } = params
  const tables = useGet<Answer<'GET /databases/{database}/tables'>>(`${path}/tables`)
  const show = (selection: TableSelection): void =>
    void navigate({ to: '.', search: { database, ...toParams(selection) } })
  return (
    <Fetched query={tables}>
      {({ dialect, items }) => {
        // A link to a missing table must not show another one.
        const current = table === undefined ? items[0] : items.find(({ name }) => name === table)
        if (items.length === 0) return <Empty icon={Table2} title={words.data.noTables} />
        const matches = items.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
        return (
          <div className="grid gap-4 lg:grid-cols-[208px_minmax(0,1fr)]">
            <div className="lg:hidden">
              <Choice
                label={words.data.table}
                value={current?.name ?? ''}
                options={optionsOf([...(current === undefined ? [''] : []), ...items.map(({ name }) => name)])}
                onChange={(name) => show({ table: name })}
              />
            </div>
            <nav className="hidden min-h-0 lg:block" aria-label={words.data.tables}>
              <div className="mb-2">
                <SearchField label={words.data.find({ n: items.length })} value={text} onChange={setText} />
              </div>
              <ul>
                {matches.map(({ name, kind, approximateRows }) => (
                  <li key={name}>
                    <button
                      type="button"
                      className="nav w-full"
                      aria-current={name === current?.name ? 'page' : undefined}
                      title={name}
                      onClick={() => show({ table: name })}
                    >
                      <TableIcon kind={kind} />
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
              {matches.length === 0 ? <p className="px-2 text-12 text-text-3">{words.data.noMatch}</p> : null}
              <p className="px-2 pt-3 text-11 text-text-3">{words.data.readOnly({ dialect })}</p>
            </nav>
            <div className="flex min-w-0 flex-col gap-4">
              {current === undefined ? (
                <Empty icon={Table2} title={words.data.noMatch} hint={table} />
              ) : (
                <>
                  <RelatedTables tables={items} centre={current} select={(name) => show({ table: name })} />
                  <TableRows
                    key={JSON.stringify(params)}
                    path={path}
                    {...(database === undefined ? {} : { database })}
                    table={current}
                    selection={fromParams(current, params)}
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

function TableIcon({ kind }: Pick<TableInfo, 'kind'>) {
  const Icon = kind === 'view' ? Eye : Table2
  return <Icon size={16} aria-hidden className="flex-none" />
}
