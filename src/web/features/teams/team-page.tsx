import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Download, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { toName } from '../../run/team-edit.ts'
import { useMayChange } from '../../app/session.ts'
import { Field, Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Loading, Trouble } from '../../ui/states.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Rename } from '../../ui/rename.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { offerUndo } from '../../ui/undo.tsx'
import { useWords } from '../../locales/words.tsx'
import { TeamGraph, TeamMembers, TeamTerms } from './team-details.tsx'
import { TONES, type TeamVersion } from './teams-page.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'

const TeamDesigner = lazyComponent(() => import('./team-designer.tsx'), <Loading />)

/** A team: dependencies, members with their tools, checks and versions. */
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
  const [isEdited, setEdited] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const use = useChange((version: number) => api.post(`${path}/use`, { version }), '/teams')
  const choose = (version: number): void =>
    use.mutate(version, {
      onSuccess: () => {
        if (current !== undefined) offerUndo({ text: words.teams.changed, undo: () => use.mutate(current.version) })
      },
    })
  const rename = useChange(async (name: string) => {
    await api.patch(path, { name })
    await navigate({ to: '/teams/$team', params: { team: name } })
  }, '/teams')
  const remove = useChange(async () => {
    await api.delete(path)
    // Leave before the lists are refetched, since the team of this page no longer exists.
    await navigate({ to: '/teams' })
  }, '/teams')
  const shown = versions.find(({ version }) => version === wanted) ?? current ?? versions[0]
  if (shown === undefined) return null
  const { team } = shown
  if (isEdited) {
    return <TeamDesigner key={shown.version} team={team} close={() => setEdited(false)} />
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3 text-13 text-text-2">
        <span className="min-w-0 flex-1 basis-60">
          {team.purpose} <span className="badge">{team.strategy}</span>
        </span>
        {mayChange && shown.isOwn ? (
          <span className="flex flex-wrap gap-2">
            <button type="button" className="btn btn-sm" onClick={() => setEdited(true)}>
              <PenLine size={14} aria-hidden />
              {words.designer.edit}
            </button>
            <Rename name={team.name} label={words.teams.rename} maxLength={40} isSmall clean={toName} change={rename} />
            <button
              type="button"
              className="btn btn-sm"
              onClick={() => saveFile(`${team.name}.json`, new Blob([JSON.stringify(team, null, 2), '\n']))}
            >
              <Download size={14} aria-hidden />
              {words.teams.export}
            </button>
            <button
              type="button"
              className="btn btn-danger btn-sm"
              disabled={remove.isPending}
              onClick={() => setAsked(true)}
            >
              <Trash2 size={14} aria-hidden />
              {words.teams.remove}
            </button>
          </span>
        ) : null}
      </div>
      {[use.error, rename.error, remove.error].map((error, at) =>
        error === null ? null : <Trouble key={at} error={error} />,
      )}
      {current === undefined ? (
        <p className="banner tone-warn mb-4" role="status">
          {words.teams.unused}
        </p>
      ) : null}
      {mayChange && current !== undefined ? <Ask path={path} example={current.team.checks[0]?.question ?? ''} /> : null}
      <TeamGraph team={team} selected={member} select={setMember} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <TeamMembers team={team} selected={member} />
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
                      {words.teams.version({ n: version })}
                    </button>{' '}
                    <span className={`badge ${TONES[status]}`}>{words.teams.status[status]}</span>{' '}
                    {isCurrent ? <span className="badge tone-accent">{words.teams.inUse}</span> : null}
                    <p className="text-12 text-text-2 wrap-anywhere">
                      {formats.date(Date.parse(createdAt))} <span lang="en">{remark}</span>
                    </p>
                  </div>
                  {isCurrent || !isOwn || status !== 'ready' || !mayChange ? null : (
                    <button
                      type="button"
                      className="btn btn-sm"
                      disabled={use.isPending}
                      onClick={() => choose(version)}
                    >
                      {words.teams.use}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </Section>
          <TeamTerms team={team} />
        </div>
      </div>
      {isAsked ? (
        <ConfirmDialog action={words.teams.remove} yes={() => remove.mutate()} close={() => setAsked(false)}>
          {words.teams.sure({ isShared: versions.some(({ isShared }) => isShared) })}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function Ask({ path, example }: { path: string; example: string }) {
  const { words } = useWords()
  const [question, setQuestion] = useState('')
  const navigate = useNavigate()
  const ask = useChange(async () => {
    const trimmed = question.trim()
    const { runId } = await api.post<{ runId: string }>(`${path}/runs`, trimmed === '' ? {} : { question: trimmed })
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
