import { Database, FolderOpen, Globe, Mail, Plug, Puzzle, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Choice } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'
import { useGrantees, type Level } from './who.ts'

interface Source {
  readonly source: string
  readonly grants: readonly { readonly to: string; readonly level: Level }[]
}

interface Wanted {
  readonly source: string
  readonly to: string
  readonly before: Level | ''
  readonly level: Level | ''
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  database: Database,
  documents: FolderOpen,
  collection: FolderOpen,
  api: Plug,
  mcp: Puzzle,
  mailbox: Mail,
  web: Globe,
}

/** Who may use what. Changes are gathered, and say who gains and who loses before they are saved. */
export function Access() {
  const { words } = useWords()
  const nameOf = useGrantees()
  const grants = useGet<Items<Source>>('/grants')
  const [wanted, setWanted] = useState<readonly Wanted[]>([])
  const levels = { '': words.admin.level.none, reader: words.admin.level.reader, editor: words.admin.level.editor }
  const save = useChange(
    async () => {
      for (const { source, to, level } of wanted) {
        await api.put('/grants', { source, to, ...(level === '' ? {} : { level }) })
        setWanted((left) => left.filter((one) => one.source !== source || one.to !== to))
      }
    },
    '/grants',
    '/audit',
  )
  const say = (one: Wanted): void => {
    const others = wanted.filter(({ source, to }) => source !== one.source || to !== one.to)
    setWanted(one.level === one.before ? others : [...others, one])
  }
  return (
    <Fetched query={grants}>
      {({ items }) => {
        const given = new Set(items.flatMap((one) => one.grants.map(({ to }) => to)))
        // Everyone and the groups; people where they are given something of their own.
        const columns = Object.keys(nameOf).filter((to) => !to.startsWith('user:') || given.has(to))
        return items.length === 0 ? (
          <Empty icon={Database} title={words.admin.noSources}>
            {words.admin.noSourcesHint}
          </Empty>
        ) : (
          <section className="card overflow-hidden" aria-label={words.admin.access}>
            <header className="border-b border-line px-4 py-3">
              <h2 className="text-14 font-semibold">{words.admin.whoMay}</h2>
              <p className="text-12 text-text-3">{words.admin.whoMayLead}</p>
            </header>
            <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label={words.admin.whoMay}>
              <table className="table stacked">
                <thead>
                  <tr>
                    <th>{words.admin.source}</th>
                    {columns.map((to) => (
                      <th key={to} title={nameOf[to]}>
                        <span className="cut block max-w-36">{nameOf[to]}</span>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ source, grants: own }) => {
                    const [kind = '', ...rest] = source.split(':')
                    const Icon = ICONS[kind] ?? Plug
                    const name = rest.join(':') || kind
                    return (
                      <tr key={source}>
                        <td className="min-w-40">
                          <span className="flex items-center gap-2 font-medium" title={source}>
                            <Icon size={16} aria-hidden className="flex-none text-text-3" />
                            {name}
                          </span>
                        </td>
                        {columns.map((to) => {
                          const before = own.find((one) => one.to === to)?.level ?? ''
                          const pending = wanted.find((one) => one.source === source && one.to === to)
                          return (
                            <td key={to} className={`min-w-34 ${pending === undefined ? '' : 'bg-accent-soft'}`}>
                              <span className="cut md:hidden" title={nameOf[to]} aria-hidden>
                                {nameOf[to]}
                              </span>
                              <Choice<Level | ''>
                                label={`${name}: ${nameOf[to]}`}
                                isQuiet
                                value={pending?.level ?? before}
                                options={levels}
                                say={(level) => say({ source, to, before, level })}
                              />
                            </td>
                          )
                        })}
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            </div>
            {save.error === null ? null : <Trouble error={save.error} />}
            {wanted.length === 0 ? null : (
              <footer className="flex flex-wrap items-end gap-3 border-t border-line px-4 py-3" role="status">
                <ul className="min-w-0 flex-1 text-13">
                  {wanted.map(({ source, to, before, level }) => (
                    <li key={`${source} ${to}`} className={level === '' ? 'text-bad' : ''}>
                      <b>{nameOf[to]}</b> · {source.slice(source.indexOf(':') + 1)}: {levels[before]} → {levels[level]}
                    </li>
                  ))}
                </ul>
                <button type="button" className="btn btn-ghost" onClick={() => setWanted([])}>
                  {words.app.discard}
                </button>
                <button
                  type="button"
                  className="btn btn-primary"
                  disabled={save.isPending}
                  onClick={() => save.mutate()}
                >
                  {words.app.save}
                </button>
              </footer>
            )}
          </section>
        )
      }}
    </Fetched>
  )
}
