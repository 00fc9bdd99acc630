import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsAdmin, useMayChange } from '../../app/session.ts'
import { AgentMark } from '../../ui/agent-mark.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useAbout, useHasModel } from './use-agents.ts'
import { LinkButton } from '../../ui/button.tsx'

/** Says that no model is connected, for as long as none is. */
export function RulesBadge() {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  if (useHasModel() !== false) return null
  return (
    <Link
      to="/setup"
      disabled={!isAdmin}
      className="badge tone-warn pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
      title={isAdmin ? words.empty.noModel : words.reading.noModelYet}
    >
      <Unplug aria-hidden />
      <span className="sr-only sm:not-sr-only">{words.badge.byRules}</span>
    </Link>
  )
}

interface EmptyChatProps {
  readonly composer: ReactNode
  readonly suggest: (question: string) => void
  readonly error: Error | null
}

/** Start of a conversation, with questions that the connected sources can answer. */
export function EmptyChat({ composer, suggest, error }: EmptyChatProps) {
  const { words } = useWords()
  const about = useAbout()
  const hasModel = useHasModel()
  const isAdmin = useIsAdmin()
  const mayChange = useMayChange()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-200 flex-col gap-3 px-4 py-8 md:pt-[14vh]">
        <h2 className="text-center text-28 font-semibold tracking-tight text-balance">{words.empty.title}</h2>
        <p className="mb-3 text-center text-15 text-balance text-text-2">{words.empty.lead}</p>
        {composer}
        {error === null ? null : <ErrorBanner error={error} />}
        {hasModel !== false ? null : (
          <p className="flex flex-col items-center gap-3 text-center text-13 text-text-2">
            {isAdmin ? <LinkButton label={words.reading.connectModel} className="btn-primary" to="/setup" /> : null}
            {isAdmin ? words.empty.noModel : words.reading.noModelYet}
          </p>
        )}
        {about === undefined || about.suggestions.length === 0 || !mayChange ? null : (
          <section className="mt-6">
            <h3 className="mb-3 text-13 font-semibold">{words.empty.tryOne}</h3>
            <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {about.suggestions.slice(0, hasModel === false ? 3 : undefined).map(({ question, agents }) => (
                <li key={question}>
                  <button
                    type="button"
                    className="card flex h-full w-full flex-col gap-2 p-4 text-left hover:border-line-strong"
                    onClick={() => suggest(question)}
                  >
                    <span className="flex w-full items-center gap-1">
                      {agents.map((agent) => (
                        <AgentMark key={agent} actor={agent} />
                      ))}
                      <ArrowUpRight size={16} aria-hidden className="ml-auto text-text-3" />
                    </span>
                    <span lang="en" className="text-14">
                      {question}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {about === undefined ? null : (
          <p className="mt-4 flex flex-wrap justify-center gap-x-5 gap-y-1 text-center text-13 text-text-2">
            {about.sources.length > 0
              ? null
              : isAdmin
                ? words.empty.noSources
                : mayChange
                  ? words.empty.noGrants
                  : words.reading.noGrants}
            {about.sources.map(({ kind, name, about: whose, count }) => (
              <span key={`${kind} ${name}`} className="flex items-center gap-2">
                <span className="size-2 rounded-full bg-ok" aria-hidden />
                {kind === 'documents' ? words.nav.documents : kind === 'mail' ? words.reading.mailbox : name}{' '}
                <span className="text-text-3">
                  {count === undefined || kind === 'mail' ? whose : words.empty.count[kind]({ n: count })}
                </span>
              </span>
            ))}
            {isAdmin ? (
              <Link to="/setup" className="text-accent-text hover:underline">
                {words.reading.connectSources}
              </Link>
            ) : null}
          </p>
        )}
      </div>
    </div>
  )
}
