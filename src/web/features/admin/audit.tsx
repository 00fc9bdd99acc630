import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { usePagedList, type Answer, useEndpoint } from '../../app/data.ts'
import { Choice, Section } from '../../ui/field.tsx'
import { Fetched, More } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees, usePersonNames } from './grantees.ts'

type AuditEntry = Answer<'GET /audit'>['items'][number]

/** Changes made by admins, newest first: who changed what. */
export function Audit() {
  const { words, formats } = useWords()
  const [filter, setFilter] = useState({ changedBy: '', action: '' })
  const nameOf = useGrantees()
  const people = usePersonNames()
  const collections = useEndpoint('/collections').data?.items ?? []
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  const audit = usePagedList<AuditEntry>(`/audit?${query}`)
  const who = (id: string): string =>
    (id === 'command line' ? words.admin.commandLine : nameOf[`user:${id}`]) ??
    nameOf[`group:${id}`] ??
    nameOf[id] ??
    collections.find(({ collectionId }) => collectionId === id)?.name ??
    id
  const actions: Readonly<Record<string, string>> = words.admin.audited
  return (
    <Section title={words.admin.audit} lead={words.admin.auditLead}>
      <div className="flex flex-wrap gap-2 border-b border-line px-4 py-3">
        <Choice
          label={words.filter.person}
          value={filter.changedBy}
          options={{ '': words.filter.all, ...people }}
          onChange={(changedBy) => setFilter({ ...filter, changedBy })}
        />
        <Choice
          label={words.admin.change}
          value={filter.action}
          options={{ '': words.filter.all, ...actions }}
          onChange={(action) => setFilter({ ...filter, action })}
        />
      </div>
      <Fetched query={audit}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon={ScrollText} title={query.size === 0 ? words.admin.noAudit : words.admin.noSuchAudit} />
          ) : (
            <ul>
              {items.map(({ id, at, changedBy, action, target, detail }) => (
                <li key={id} className="line">
                  <span className="w-40 flex-none text-12 text-text-3">{formats.date(at)}</span>
                  <span className="min-w-44 flex-1 wrap-anywhere" title={target}>
                    <b>{who(changedBy)}</b> {actions[action] ?? action} · {who(target)}
                  </span>
                  <span className="min-w-0 text-text-2 wrap-anywhere">
                    {Object.entries(detail)
                      .map(
                        ([name, value]) => `${name}: ${typeof value === 'string' ? who(value) : JSON.stringify(value)}`,
                      )
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <More query={audit} />
    </Section>
  )
}
