import { BookA, MessageSquare, Play } from 'lucide-react'
import { useGet, type Answer } from '../../app/data.ts'
import { LinkButton } from '../../ui/button.tsx'
import { DisclosureRow, Hint } from '../../ui/list.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

/** The business terms, and the questions with verified queries. */
export function Terms({ database }: { database: string }) {
  const { words } = useWords()
  const terms = useGet<Answer<'GET /databases/{database}/terms'>>(`/databases/${encodeURIComponent(database)}/terms`)
  return (
    <Fetched query={terms}>
      {({ terms: { metrics, tables, columns, verified }, path, unused }) => {
        const entries = [
          ...Object.entries(metrics).map(([name, { called, of, value, where }]) => ({
            name,
            called,
            sql: `${value} · ${of}${where === undefined ? '' : ` · ${where}`}`,
          })),
          ...Object.entries(tables).map(([name, { called, where }]) => ({ name, called, sql: where })),
          ...Object.entries(columns).map(([name, { called }]) => ({ name, called, sql: undefined })),
        ]
        return entries.length + verified.length === 0 ? (
          <Empty icon={BookA} title={words.data.noTerms} hint={unused ?? words.data.noTermsHint} />
        ) : (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <Section title={words.data.termsTitle} lead={words.data.termsLead}>
              <ul>
                {entries.map(({ name, called, sql }) => (
                  <li key={name} className="flex flex-col gap-1 border-b border-line px-4 py-3 text-13 last:border-b-0">
                    <b className="wrap-anywhere">{name}</b>
                    {called.length === 0 ? null : <span className="text-text-2">{called.join(', ')}</span>}
                    {sql === undefined ? null : <code className="mono text-text-2 wrap-anywhere">{sql}</code>}
                  </li>
                ))}
              </ul>
              {path === undefined ? null : (
                <p className="border-t border-line px-4 py-2 text-12 text-text-3 wrap-anywhere">
                  {words.data.termsFrom({ path })}
                </p>
              )}
            </Section>
            <Section title={words.data.verified} lead={words.data.verifiedLead}>
              {verified.length === 0 ? <Hint>{words.data.noVerified}</Hint> : null}
              <ul>
                {verified.map(({ question, sql }) => (
                  <DisclosureRow key={question} summary={question}>
                    <div className="flex flex-col gap-2 px-4 pb-3">
                      <pre className="code max-h-72" tabIndex={0}>
                        {sql}
                      </pre>
                      <span className="flex gap-2">
                        <LinkButton
                          to="/data/$part"
                          params={{ part: 'console' }}
                          search={{ database, sql }}
                          label={words.data.run}
                          icon={Play}
                          className="btn-sm"
                        />
                        <LinkButton
                          to="/"
                          search={{ q: question }}
                          label={words.data.ask}
                          icon={MessageSquare}
                          className="btn-sm"
                        />
                      </span>
                    </div>
                  </DisclosureRow>
                ))}
              </ul>
            </Section>
          </div>
        )
      }}
    </Fetched>
  )
}
