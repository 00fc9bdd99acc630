import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import type { Operations, Schemas } from '../../../client/api-types.ts'
import type { Items } from '../../../client/api.ts'
import { useGet, usePagedList } from '../../app/data.ts'
import { Choice, Section } from '../../ui/field.tsx'
import { Fetched, More } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { detailInWords } from './audit-detail.ts'
import { useGrantees, usePeople } from './grantees.ts'

type AuditEntry = Operations['GET /audit']['answer']['items'][number]

/** IDs without a known name, such as those of deleted objects, are shortened to their first part. */
const ID = /^(?:\w+:)?([\da-f]{8})-[\da-f]{4}-[\da-f-]{22}$/

/** Changes made by admins, newest first: who changed what. */
export function Audit() {
  const spoken = useWords()
  const { words, formats } = spoken
  const [look, setLook] = useState({ changedBy: '', action: '' })
  const nameOf = useGrantees()
  const people = usePeople().data?.items ?? []
  const collections = useGet<Items<Schemas['Collection']>>('/collections').data?.items ?? []
  const asked = new URLSearchParams(Object.entries(look).filter(([, value]) => value !== ''))
  const audit = usePagedList<AuditEntry>(`/audit?${asked.toString()}`)
  // Removed objects keep their last name, also in older entries.
  const named = (audit.data ?? []).flatMap(({ target, detail: { name } }) =>
    typeof name === 'string' ? [[target, name] as const] : [],
  )
  const latestNames = new Map(named.reverse())
  const who = (id: string): string =>
    (id === 'command line' ? words.admin.commandLine : nameOf[`user:${id}`]) ??
    nameOf[`group:${id}`] ??
    nameOf[id] ??
    collections.find(({ collectionId }) => collectionId === id)?.name ??
    latestNames.get(id.replace(/^group:/, '')) ??
    id.replace(ID, '$1…')
  const saidOf: Readonly<Record<string, string>> = words.admin.audited
  return (
    <Section title={words.admin.audit} lead={words.admin.auditLead}>
      <div className="flex flex-wrap gap-2 border-b border-line px-4 py-3">
        <Choice
          label={words.executions.person}
          value={look.changedBy}
          options={{
            '': words.executions.all,
            ...Object.fromEntries(people.map(({ userId, displayName }) => [userId, displayName])),
          }}
          say={(changedBy) => setLook({ ...look, changedBy })}
        />
        <Choice
          label={words.admin.change}
          value={look.action}
          options={{ '': words.executions.all, ...saidOf }}
          say={(action) => setLook({ ...look, action })}
        />
      </div>
      <Fetched query={audit}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon={ScrollText} title={asked.size === 0 ? words.admin.noAudit : words.admin.noSuchAudit} />
          ) : (
            <ul>
              {items.map(({ id, at, changedBy, action, target, detail }) => (
                <li key={id} className="line">
                  <span className="w-40 flex-none text-12 text-text-3">{formats.date(Date.parse(at))}</span>
                  <span className="min-w-44 flex-1 wrap-anywhere" title={target}>
                    <b>{who(changedBy)}</b> {saidOf[action] ?? action} · {who(target)}
                  </span>
                  <span className="min-w-0 text-text-2 wrap-anywhere">{detailInWords(detail, who, spoken)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <More of={audit} />
    </Section>
  )
}
