import { useNavigate, useParams } from '@tanstack/react-router'
import { Download, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useDelete, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { Banner, Loading, ErrorBanner } from '../../ui/states.tsx'
import { InlineForm } from '../../ui/form.tsx'
import { Fetched, Page, Subtitle } from '../../ui/page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
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
    <Page title={<Subtitle to="/teams" parent={words.teams.title} text={team.replaceAll('_', ' ')} />}>
      <Fetched query={useGet<Items<TeamVersion>>(path)}>
        {({ items }) => (items.length === 0 ? null : <Versions path={path} versions={items} />)}
      </Fetched>
    </Page>
  )
}

interface VersionsProps {
  readonly path: string
  readonly versions: readonly TeamVersion[]
}

function Versions({ path, versions }: VersionsProps) {
  const { words } = useWords()
  const mayChange = useMayChange()
  const current = versions.find(({ isCurrent }) => isCurrent)
  const [selected, select] = useState<number>()
  const [member, setMember] = useState<string>()
  const [isEdited, setEdited] = useState(false)
  const shown = versions.find(({ version }) => version === selected) ?? current ?? versions[0]!
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
          <Actions
            path={path}
            team={team}
            isShared={versions.some(({ isShared }) => isShared)}
            edit={() => setEdited(true)}
          />
        ) : null}
      </div>
      {current === undefined ? <Banner tone="warn" role="status" text={words.teams.unused} className="mb-4" /> : null}
      {mayChange && current !== undefined ? <Ask path={path} example={current.team.checks[0]?.question ?? ''} /> : null}
      <TeamGraph team={team} selected={member} select={setMember} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <TeamMembers team={team} selected={member} />
        <div>
          <VersionList path={path} versions={versions} shown={shown} select={select} />
          <TeamTerms team={team} />
        </div>
      </div>
    </>
  )
}

interface ActionsProps {
  readonly path: string
  readonly team: TeamVersion['team']
  readonly isShared: boolean
  readonly edit: () => void
}

/** Edits, exports or deletes the team. */
function Actions({ path, team, isShared, edit }: ActionsProps) {
  const { words } = useWords()
  const navigate = useNavigate()
  const remove = useDelete(path, '/teams')
  return (
    <span className="flex flex-wrap gap-2">
      <Button label={words.designer.edit} icon={PenLine} className="btn-sm" onClick={edit} />
      <Button
        label={words.teams.export}
        icon={Download}
        className="btn-sm"
        onClick={() => saveFile(`${team.name}.json`, new Blob([JSON.stringify(team, null, 2), '\n']))}
      />
      <ConfirmButton
        label={words.teams.remove}
        icon={Trash2}
        className="btn-danger btn-sm"
        disabled={remove.isPending}
        consequences={words.teams.sure({ isShared })}
        yes={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/teams' }) })}
      />
      <ErrorBanner error={remove.error} isInText />
    </span>
  )
}

interface VersionListProps extends VersionsProps {
  readonly shown: TeamVersion
  readonly select: (version: number) => void
}

function VersionList({ path, versions, shown, select }: VersionListProps) {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const current = versions.find(({ isCurrent }) => isCurrent)?.version
  const use = useChange((version: number) => api.post(`${path}/use`, { version }), '/teams')
  const offerBack = (): void => {
    if (current !== undefined) offerUndo({ text: words.teams.changed, undo: () => use.mutate(current) })
  }
  return (
    <Section title={words.teams.versions}>
      <ErrorBanner error={use.error} />
      <ul>
        {versions.map(({ version, status, remark, isCurrent, isOwn, createdAt }) => (
          <li key={version} className="line">
            <div className="min-w-0 flex-1">
              <button
                type="button"
                className="font-medium underline"
                aria-pressed={version === shown.version}
                onClick={() => select(version)}
              >
                {words.teams.version({ n: version })}
              </button>{' '}
              <span className={`badge ${TONES[status]}`}>{words.teams.status[status]}</span>{' '}
              {isCurrent ? <span className="badge tone-accent">{words.teams.inUse}</span> : null}
              <p className="text-12 text-text-2 wrap-anywhere">
                {formats.date(createdAt)} <span lang="en">{remark}</span>
              </p>
            </div>
            {isCurrent || !isOwn || status !== 'ready' || !mayChange ? null : (
              <Button
                label={words.teams.use}
                className="btn-sm"
                disabled={use.isPending}
                onClick={() => use.mutate(version, { onSuccess: offerBack })}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
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
    <InlineForm mutation={ask} action={words.teams.run} className="card mb-4">
      <div className="min-w-60 flex-1">
        <Field label={words.teams.ask} placeholder={example} value={question} onChange={setQuestion} />
      </div>
    </InlineForm>
  )
}
