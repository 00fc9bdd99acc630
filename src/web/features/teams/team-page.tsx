import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import type { Step } from '../../run/steps.ts'
import { Field, Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { Undo } from '../../ui/undo.tsx'
import { useWords } from '../../words/words.tsx'
import { PlanGraph } from '../run/plan-graph.tsx'
import type { TeamVersion } from './teams-page.tsx'

/** One team: who waits for whom, what each member does with which tools, its checks and versions. */
export default function TeamPage() {
  const { words } = useWords()
  const { team } = useParams({ from: '/teams/$team' })
  const path = `/teams/${encodeURIComponent(team)}`
  return (
    <Page
      title={
        <>
          <Link to="/teams" className="font-normal text-text-3">
            {words.teams.title} ›
          </Link>{' '}
          {team.replaceAll('_', ' ')}
        </>
      }
    >
      <Fetched query={useGet<Items<TeamVersion>>(path)}>
        {({ items }) => <Versions path={path} versions={items} />}
      </Fetched>
    </Page>
  )
}

function Versions({ path, versions }: { path: string; versions: readonly TeamVersion[] }) {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const current = versions.find(({ isCurrent }) => isCurrent)
  const [wanted, setWanted] = useState<number | undefined>()
  const [member, setMember] = useState<string | undefined>()
  const [before, setBefore] = useState<number | undefined>()
  const close = useCallback(() => setBefore(undefined), [])
  const use = useChange((version: number) => api.post(`${path}/use`, { version }), '/teams')
  const shown = versions.find(({ version }) => version === wanted) ?? current ?? versions[0]
  if (shown === undefined) return null
  const { agents, checks, purpose, strategy } = shown.team
  const steps = agents.map(({ name, purpose: text, after }): Step => ({
    id: name,
    actor: name,
    text,
    state: 'todo',
    attempt: 1,
    round: 1,
    isReplaced: false,
    after,
  }))
  return (
    <>
      <p className="mb-4 text-13 text-text-2">
        {purpose} <span className="badge">{strategy}</span>
      </p>
      {use.error === null ? null : <Trouble error={use.error} />}
      {mayChange && current !== undefined ? <Ask path={path} example={current.team.checks[0]?.question ?? ''} /> : null}
      <div className="card mb-4 flex h-80 flex-col overflow-hidden">
        <PlanGraph steps={steps} select={setMember} {...(member === undefined ? {} : { selected: member })} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Section title={words.teams.members}>
          <ul>
            {agents.map(({ name, purpose: text, tools, task }) => (
              <li
                key={name}
                className={`flex flex-col gap-1 border-b border-line px-4 py-3 text-13 last:border-b-0 ${name === member ? 'bg-accent-soft' : ''}`}
              >
                <b>{name}</b>
                <span className="text-text-2">{text}</span>
                <span className="text-12 text-text-2">{task}</span>
                <span className="flex flex-wrap gap-1">
                  {tools.map((tool) => (
                    <span key={tool} className="badge mono">
                      {tool}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </Section>
        <div>
          <Section title={words.teams.versions}>
            <ul>
              {versions.map(({ version, status, remark, isCurrent, isOwn, createdAt }) => (
                <li key={version} className="line">
                  <div className="min-w-0 flex-1">
                    <button
                      type="button"
                      className="font-medium underline"
                      aria-pressed={version === shown.version}
                      onClick={() => setWanted(version)}
                    >
                      {words.teams.version(version)}
                    </button>{' '}
                    <span
                      className={`badge ${status === 'ready' ? 'tone-ok' : status === 'failed' ? 'tone-bad' : 'tone-warn'}`}
                    >
                      {words.teams.status[status]}
                    </span>{' '}
                    {isCurrent ? <span className="badge tone-accent">{words.teams.inUse}</span> : null}
                    <p className="text-12 text-text-2 wrap-anywhere">
                      {formats.date(Date.parse(createdAt))} {remark}
                    </p>
                  </div>
                  {isCurrent || !isOwn || status !== 'ready' || !mayChange ? null : (
                    <button
                      type="button"
                      className="btn btn-sm"
                      disabled={use.isPending}
                      onClick={() => use.mutate(version, { onSuccess: () => setBefore(current?.version) })}
                    >
                      {words.teams.use}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </Section>
          <Section title={words.teams.checks} lead={words.teams.checksLead}>
            <ul>
              {checks.map(({ question, contains }) => (
                <li key={question} className="border-b border-line px-4 py-2.5 text-13 last:border-b-0">
                  {question}
                  {contains.length === 0 ? null : (
                    <span className="block text-12 text-text-2">{words.teams.mustHold(contains.join(', '))}</span>
                  )}
                </li>
              ))}
            </ul>
          </Section>
        </div>
      </div>
      {before === undefined ? null : (
        <Undo undo={() => use.mutate(before)} close={close}>
          {words.teams.changed}
        </Undo>
      )}
    </>
  )
}

function Ask({ path, example }: { path: string; example: string }) {
  const { words } = useWords()
  const [question, setQuestion] = useState('')
  const navigate = useNavigate()
  const ask = useChange(async () => {
    const said = question.trim()
    const { runId } = await api.post<{ runId: string }>(`${path}/runs`, said === '' ? {} : { question: said })
    await navigate({ to: '/runs/$runId', params: { runId } })
  })
  return (
    <form
      className="card mb-4 flex flex-wrap items-end gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate()
      }}
    >
      <div className="min-w-60 flex-1">
        <Field label={words.teams.ask} placeholder={example} value={question} say={setQuestion} />
      </div>
      <button type="submit" className="btn btn-primary h-9" disabled={ask.isPending}>
        {words.teams.run}
      </button>
      {ask.error === null ? null : <Trouble error={ask.error} />}
    </form>
  )
}
