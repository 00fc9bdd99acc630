import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Database, FileText, LifeBuoy, Lock, Mail, Sparkles, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useGet, type Answer } from '../../app/data.ts'
import { LinkButton } from '../../ui/button.tsx'
import { useIsAdmin } from '../../app/session.ts'
import { Banner, AdminsOnly, ServerText, ErrorBanner } from '../../ui/states.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { useAbout } from '../chat/use-agents.ts'
import { Connect } from './connect.tsx'
import { Result, Step, type Source } from './step.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'

type SetupState = Answer<'GET /setup'>

const STEPS = [
  { kind: 'model', icon: Sparkles, tone: 'bg-accent-soft text-accent-text' },
  { kind: 'database', icon: Database, tone: 'tone-info' },
  { kind: 'mailbox', icon: Mail, tone: 'tone-bad' },
] as const

/** Connects a model, a database, documents and a mailbox, and ends in a question over them. */
export default function SetupPage() {
  const texts = useWords().words.setup
  return <Page title={texts.title}>{useIsAdmin() ? <Steps /> : <AdminsOnly />}</Page>
}

function Steps() {
  const texts = useWords().words.setup
  const client = useQueryClient()
  const about = useAbout()
  /** When the sources had been opened before the last change; absent if they have been reopened since. */
  const [before, setBefore] = useState<string>()
  const query = useGet<SetupState>('/setup', true, before === undefined ? undefined : 700)
  const { data } = query
  const isOpening = before !== undefined && (data === undefined || data.since === before)
  useEffect(() => {
    if (before === undefined || isOpening) return
    setBefore(undefined)
    // Agents and suggestions depend on the sources.
    void client.invalidateQueries()
  }, [before, isOpening, client])
  const reload = (): void => setBefore(data?.since)
  const disconnect = useChange(async ({ kind, name }: Source) => {
    await api.delete(`/setup/${kind}/${encodeURIComponent(name)}`)
    reload()
  })
  if (data === undefined) return <Fetched query={query}>{() => null}</Fetched>
  const { closed, items } = data
  const files = about?.sources.find(({ kind }) => kind === 'documents')?.count ?? 0
  const working = items.filter(({ isUsed, problem }) => isUsed && problem === undefined)
  const isReady = [...STEPS.map((step) => working.some(({ kind }) => kind === step.kind)), files > 0]
  const steps = STEPS.map(({ kind, icon, tone }) => (
    <Connect
      key={kind}
      kind={kind}
      icon={icon}
      tone={tone}
      items={items.filter((one) => one.kind === kind)}
      isClosed={closed !== undefined}
      isOpening={isOpening}
      disconnect={disconnect.mutate}
      onConnect={reload}
    />
  ))
  steps.splice(2, 0, <Documents key="documents" files={files} />)
  return (
    <div className="mx-auto flex max-w-270 flex-col gap-3">
      <header className="flex flex-wrap items-end gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-80">
          <h2 className="text-20 font-semibold tracking-tight">{texts.head}</h2>
          <p className="text-13 text-text-2">{texts.lead}</p>
        </div>
        <p className="flex items-center gap-3 text-13 text-text-2" role="status">
          {isOpening ? texts.opening : texts.ready({ n: isReady.filter(Boolean).length })}
          <span className="flex gap-1" aria-hidden>
            {isReady.map((one, at) => (
              <span key={at} className={`h-1 w-4 rounded-full ${one ? 'bg-ok' : 'bg-line-strong'}`} />
            ))}
          </span>
        </p>
      </header>
      {closed === undefined ? null : <Banner tone="warn" icon={Lock} text={<ServerText text={closed} />} />}
      <ErrorBanner error={disconnect.error} isInText />
      {steps}
      <p className="text-12 text-text-2">
        {texts.beside} {items.some(({ from }) => from === 'demo') ? texts.demoGoes : ''}
      </p>
      <FirstQuestion isOpening={isOpening} />
    </div>
  )
}

/** Documents, which are added on their own page. */
function Documents({ files }: { files: number }) {
  const texts = useWords().words.setup
  return (
    <Step
      kind="documents"
      icon={FileText}
      tone="tone-warn"
      state={files > 0 ? 'connected' : 'none'}
      results={
        files === 0 ? (
          <li className="text-text-2">{texts.noFiles}</li>
        ) : (
          <Result tone="ok" text={texts.files({ n: files })} />
        )
      }
    >
      <p className="mb-3 text-13 text-text-2">{texts.documentsLead}</p>
      <LinkButton to="/documents" label={texts.addFiles} icon={Upload} />
    </Step>
  )
}

/** Example questions for the connected sources. */
function FirstQuestion({ isOpening }: { isOpening: boolean }) {
  const texts = useWords().words.setup
  const about = useAbout()
  if (about === undefined) return null
  return (
    <section className="mt-2 mb-6" aria-label={texts.askFirst}>
      <header className="mb-3 flex flex-wrap items-baseline gap-x-3">
        <h3 className="text-15 font-semibold">{texts.askFirst}</h3>
        <p className="text-13 text-text-2">{about.suggestions.length === 0 ? texts.askNone : texts.askLead}</p>
      </header>
      <ul className={`grid gap-3 sm:grid-cols-2 ${isOpening ? 'opacity-50' : ''}`} inert={isOpening}>
        {about.suggestions.map(({ question }) => (
          <li key={question}>
            <Link
              to="/"
              search={{ q: question }}
              className="card flex h-full items-start gap-3 p-3 text-14 hover:border-line-strong"
            >
              <span lang="en" className="min-w-0 flex-1">
                {question}
              </span>
              <ArrowUpRight size={16} aria-hidden className="mt-0.5 flex-none text-text-3" />
            </Link>
          </li>
        ))}
      </ul>
      {about.suggestions.length === 0 ? <LinkButton to="/" label={texts.askOwn} /> : null}
      {about.model === undefined ? (
        <p className="mt-3 flex flex-wrap items-center gap-2 text-13 text-text-2">
          <LifeBuoy size={16} aria-hidden />
          {texts.noModel} <TextLink to="/" text={texts.goOn} />
        </p>
      ) : null}
    </section>
  )
}
