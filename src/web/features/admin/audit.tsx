import { ScrollText } from 'lucide-react'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'
import { useGrantees } from './who.ts'

interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly changedBy: string
  readonly action: string
  readonly target: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** What admins have changed, the latest first. */
export function Audit() {
  const { words, formats } = useWords()
  const nameOf = useGrantees()
  const who = (id: string): string => nameOf[`user:${id}`] ?? nameOf[`group:${id}`] ?? nameOf[id] ?? id
  return (
    <Section title={words.admin.audit} lead={words.admin.auditLead}>
      <Fetched query={useGet<Items<AuditEntry>>('/audit?limit=500')}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ScrollText} title={words.admin.noAudit} />
          ) : (
            <ul>
              {items.map(({ id, at, changedBy, action, target, detail }) => (
                <li key={id} className="line">
                  <span className="w-40 flex-none text-12 text-text-3">{formats.date(Date.parse(at))}</span>
                  <span className="min-w-44 flex-1">
                    <b>{who(changedBy)}</b> <code className="mono">{action}</code> {who(target)}
                  </span>
                  <span className="mono min-w-0 text-text-2 wrap-anywhere">
                    {Object.entries(detail)
                      .map(
                        ([name, value]) => `${name}: ${typeof value === 'string' ? who(value) : JSON.stringify(value)}`,
                      )
                      .join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Section>
  )
}
