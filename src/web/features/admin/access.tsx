import { Database } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { type Answer, useChange, useEndpoint } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Effects } from './access-changes.tsx'
import { MatrixCell } from './matrix-cell.tsx'
import { iconOf, KINDS, sourceKind, useSourceName } from './source-kinds.ts'
import { useGrantees, type Level } from './grantees.ts'

type Source = Answer<'GET /grants'>['items'][number]

/** A change that is not saved yet. */
interface Change {
  readonly source: string
  readonly to: string
  readonly level: Level | 'none'
}

const COLLECTION = 'collection:'

/** Access matrix. Changes are collected, and their gains and losses are shown before saving. */
export function Access() {
  const { words } = useWords()
  const granteeName = useGrantees()
  const sourceName = useSourceName()
  const grants = useEndpoint('/grants')
  const collections = useEndpoint('/collections?limit=200')
  const [changes, setChanges] = useState<readonly Change[]>([])
  const [focused, setFocused] = useState('')
  const requests = changes.map(({ source, to, level }) => ({ source, to, ...(level === 'none' ? {} : { level }) }))
  const save = useChange(
    async () => {
      for (const { source, ...grant } of requests) {
        await (source.startsWith(COLLECTION)
          ? api.put(`/collections/${encodeURIComponent(source.slice(COLLECTION.length))}/grants`, grant)
          : api.put('/grants', { source, ...grant }))
        setChanges((open) => open.filter((one) => one.source !== source || one.to !== grant.to))
      }
    },
    '/grants',
    '/collections',
    '/audit',
  )
  const ofInstallation = (collections.data?.items ?? []).filter((one) => one.ofInstallation)
  const nameOf = (source: string): string =>
    ofInstallation.find(({ collectionId }) => source === COLLECTION + collectionId)?.name ?? sourceName(source)
  const choose = (change: Change, before: Level | 'none'): void => {
    const others = changes.filter(({ source, to }) => source !== change.source || to !== change.to)
    setChanges(change.level === before ? others : [...others, change])
  }
  return (
    <Fetched query={grants}>
      {({ items }) => {
        const rows: readonly Source[] = [
          ...items,
          ...ofInstallation.map((one) => ({ source: COLLECTION + one.collectionId, grants: one.grants ?? [] })),
        ]
        if (rows.length === 0) {
          return <Empty icon={Database} title={words.admin.noSources} hint={words.admin.noSourcesHint} />
        }
        const grantees = new Set(rows.flatMap((one) => one.grants.map(({ to }) => to)))
        // Everyone and the groups; users only if they have grants of their own.
        const columns = Object.keys(granteeName).filter((to) => !to.startsWith('user:') || grantees.has(to))
        const isFocusedThere = rows.some(({ source }) => columns.some((to) => focused === `${source} ${to}`))
        const first = KINDS.flatMap((kind) => rows.filter(({ source }) => sourceKind(source) === kind))[0]
        const entry = isFocusedThere ? focused : `${first?.source} ${columns[0]}`
        return (
          <section className="card mb-4 overflow-clip" aria-label={words.admin.access}>
            <header className="border-b border-line px-4 py-3">
              <h2 className="text-14 font-semibold">{words.admin.whoMay}</h2>
              <p className="text-12 text-text-3">
                {words.admin.whoMayLead} <span className="hidden md:inline">{words.access.move}.</span>
              </p>
            </header>
            <div className="relative overflow-x-auto" role="group" aria-label={words.admin.whoMay}>
              <table className="table stacked matrix">
                <thead>
                  <tr>
                    <th>{words.admin.source}</th>
                    {columns.map((to) => (
                      <th key={to} title={granteeName[to]}>
                        <span className="cut mx-auto block max-w-36">{granteeName[to]}</span>
                      </th>
                    ))}
                  </tr>
                </thead>
                {KINDS.map((kind) => {
                  const own = rows.filter(({ source }) => sourceKind(source) === kind)
                  return own.length === 0 ? null : (
                    <tbody key={kind}>
                      <tr>
                        <th colSpan={columns.length + 1} scope="rowgroup" className="kind">
                          {words.access.kind[kind]}
                        </th>
                      </tr>
                      {own.map(({ source, grants: known }) => {
                        const Icon = iconOf(source)
                        const name = nameOf(source)
                        return (
                          <tr key={source}>
                            <td className="min-w-40">
                              <span className="flex items-center gap-2 font-medium" title={name}>
                                <Icon size={16} aria-hidden className="flex-none text-text-3" />
                                <span className="min-w-0 wrap-anywhere">{name}</span>
                              </span>
                            </td>
                            {columns.map((to) => {
                              const before = known.find((one) => one.to === to)?.level ?? 'none'
                              const pending = changes.find((one) => one.source === source && one.to === to)
                              const key = `${source} ${to}`
                              return (
                                <td key={to} className="min-w-30" onFocus={() => setFocused(key)}>
                                  <span className="cut md:hidden" aria-hidden>
                                    {granteeName[to]}
                                  </span>
                                  <MatrixCell
                                    source={name}
                                    grantee={granteeName[to] ?? to}
                                    level={pending?.level ?? before}
                                    isChanged={pending !== undefined}
                                    isTabStop={key === entry}
                                    onChange={(level) => choose({ source, to, level }, before)}
                                  />
                                </td>
                              )
                            })}
                          </tr>
                        )
                      })}
                    </tbody>
                  )
                })}
              </table>
            </div>
            <ErrorBanner error={save.error} />
            {changes.length === 0 ? null : (
              // In sight below long lists: the card clips without scrolling, and the page has a margin below.
              <footer
                data-floats
                className="sticky -bottom-4 z-2 flex flex-wrap items-end gap-3 border-t border-line bg-surface px-4 py-3"
              >
                <div className="flex max-h-[30dvh] min-w-60 flex-1 flex-col gap-2 overflow-y-auto" role="status">
                  <span className="badge tone-warn self-start">{words.access.unsaved({ n: changes.length })}</span>
                  <Effects changes={requests} nameOf={nameOf} />
                </div>
                <Button label={words.app.discard} className="btn-ghost" onClick={() => setChanges([])} />
                <Button label={words.app.save} className="btn-primary" action={save} />
              </footer>
            )}
          </section>
        )
      }}
    </Fetched>
  )
}
