import { Link } from '@tanstack/react-router'
import { BookA, MessageSquare, Play } from 'lucide-react'
import { useState } from 'react'
import { useGet } from '../../app/data.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

interface Words {
  readonly called: readonly string[]
}

interface TermsInfo {
  readonly terms: {
    readonly tables: Readonly<Record<string, Words & { readonly where?: string }>>
    readonly columns: Readonly<Record<string, Words>>
    readonly metrics: Readonly<
      Record<string, Words & { readonly of: string; readonly value: string; readonly where?: string }>
    >
    readonly verified: readonly { readonly question: string; readonly sql: string }[]
  }
  readonly path?: string
  readonly unused?: string
}

/** The business terms, and the questions with verified queries. */
export function Terms({ database }: { database: string }) {
  const { words } = useWords()
  const [open, setOpen] = useState<number | undefined>()
  const terms = useGet<TermsInfo>(`/databases/${encodeURIComponent(database)}/terms`)
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
          <Empty icon={BookA} title={words.data.noTerms}>
            {unused ?? words.data.noTermsHint}
          </Empty>
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
              {verified.length === 0 ? (
                <p className="px-4 py-5 text-13 text-text-2">{words.data.noVerified}</p>
              ) : (
                <ul>
                  {verified.map(({ question, sql }, at) => (
                    <li key={question} className="border-b border-line last:border-b-0">
                      <button
                        type="button"
                        className="w-full px-4 py-2.5 text-left text-13 hover:bg-surface-2"
                        aria-expanded={open === at}
                        onClick={() => setOpen(open === at ? undefined : at)}
                      >
                        {question}
                      </button>
                      {open === at ? (
                        <div className="flex flex-col gap-2 px-4 pb-3">
                          <pre className="code max-h-72" tabIndex={0}>
                            {sql}
                          </pre>
                          <span className="flex gap-2">
                            <Link
                              to="/data/$part"
                              params={{ part: 'console' }}
                              search={{ database, sql }}
                              className="btn btn-sm"
                            >
                              <Play size={14} aria-hidden />
                              {words.data.run}
                            </Link>
                            <Link to="/" search={{ q: question }} className="btn btn-sm">
                              <MessageSquare size={14} aria-hidden />
                              {words.data.ask}
                            </Link>
                          </span>
                        </div>
                      ) : null}
                    </li>
                  ))}
                </ul>
              )}
            </Section>
          </div>
        )
      }}
    </Fetched>
  )
}
