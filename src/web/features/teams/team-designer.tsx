import { useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Play, Plus, Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, type Answer } from '../../app/data.ts'
import { addDependency, addMember, isCircularIn, removeMember, type Team } from '../../run/team-edit.ts'
import { Button } from '../../ui/button.tsx'
import { LongField, Section } from '../../ui/field.tsx'
import { LoadError, ErrorBanner } from '../../ui/states.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { useWords } from '../../locales/words.tsx'
import { PlanGraph } from '../run/plan-graph.tsx'
import { memberSteps } from './team-details.tsx'
import { Checks, type FindProblem } from './team-checks.tsx'
import { MemberPanel } from './team-member.tsx'

type Checked = Answer<'POST /teams/check'>

const MAX_MEMBERS = 8

/**
 * Editor for a team, as a diagram with a panel. A changed team must be approved and pass its checks before it is used.
 */
export default function TeamDesigner({ team: saved, close }: { team: Team; close: () => void }) {
  const { words } = useWords()
  const { current: team, edit: addEdit, undo, redo } = useHistory(saved)
  const [selected, select] = useState(0)
  const [notice, setNotice] = useState('')
  const check = useTeamCheck(team)
  const { issues = [], flaws = [], tools = [] } = check.data ?? {}
  const navigate = useNavigate()
  const send = useChange(async () => {
    const path = `/teams/${encodeURIComponent(saved.name)}/versions`
    const { runId } = await api.post<{ runId: string }>(path, { team })
    await navigate({ to: '/runs/$runId', params: { runId } })
  }, '/teams')
  const at = Math.min(selected, team.agents.length - 1)
  const findProblem: FindProblem = (...place) => issues.find(({ path }) => path.join('.') === place.join('.'))?.message
  // Issues that no field shows.
  const otherIssues = issues.filter(({ path: [first, , field] }) =>
    first === 'agents' ? field === undefined : first !== 'checks' && first !== 'purpose' && first !== 'supervisor',
  )
  const problems = issues.length + flaws.length
  const isChanged = JSON.stringify(team) !== JSON.stringify(saved)
  const isValid = check.data !== undefined && !check.isPlaceholderData && problems === 0
  const edit = (changed: Team, field?: string): void => {
    setNotice('')
    addEdit(changed, field)
  }
  const refusal = (from: string, to: string): string | undefined =>
    isCircularIn(team, Number(to), Number(from)) ? words.designer.circle : undefined
  const connect = (from: string, to: string): void => {
    edit(addDependency(team, Number(to), Number(from)))
    setNotice(refusal(from, to) ?? '')
  }
  const remove = (place: number): void => {
    if (team.agents.length === 1) return setNotice(words.designer.last)
    edit(removeMember(team, place))
    setNotice(words.designer.removed)
  }
  return (
    <div
      onKeyDown={(event) => {
        const { key, metaKey, ctrlKey, shiftKey, target } = event
        if (/^(?:TEXTAREA|INPUT|SELECT)$/.test((target as HTMLElement).tagName)) return
        if (key.toLowerCase() === 'z' && (metaKey || ctrlKey)) (shiftKey ? redo : undo)?.()
        else if (key === 'Delete' || key === 'Backspace') remove(at)
        else return
        event.preventDefault()
      }}
    >
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Button
          label={words.designer.add}
          icon={Plus}
          className="btn-sm"
          disabled={team.agents.length >= MAX_MEMBERS}
          onClick={() => {
            edit(addMember(team))
            select(team.agents.length)
          }}
        />
        <Button label={words.app.undo} icon={Undo2} className="btn-sm" disabled={undo === undefined} onClick={undo} />
        <Button
          label={words.designer.redo}
          icon={Redo2}
          className="btn-sm"
          disabled={redo === undefined}
          onClick={redo}
        />
        <span className="flex flex-wrap items-center gap-2 md:ml-auto">
          <Button label={words.app.discard} className="btn-ghost btn-sm" onClick={close} />
          <Button
            label={words.designer.send}
            icon={Play}
            className="btn-primary btn-sm"
            disabled={!isChanged || !isValid || send.isPending}
            onClick={() => send.mutate()}
          />
        </span>
      </div>
      <p className="mb-2 flex flex-wrap gap-x-4 text-12 text-text-2">
        <span role="status">
          {notice === '' ? <span className="hidden md:inline">{words.designer.hint}</span> : notice}
        </span>
        <span className={`md:ml-auto ${problems > 0 ? 'text-warn' : ''}`}>
          {problems > 0 ? words.designer.faults({ n: problems }) : words.designer.next}
        </span>
      </p>
      <div className="grid items-start gap-x-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="of-team card mb-4 flex h-80 flex-none flex-col overflow-hidden xl:h-96">
          <PlanGraph
            steps={memberSteps(team)}
            selected={String(at)}
            select={(id) => select(Number(id))}
            connect={connect}
            refusal={refusal}
          />
        </div>
        <div className="xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <MemberPanel
            key={at}
            team={team}
            at={at}
            tools={tools}
            findProblem={findProblem}
            flaws={flaws}
            edit={edit}
            remove={() => remove(at)}
          />
        </div>
        <div>
          <Section title={words.designer.whole}>
            <div className="flex flex-col gap-3 p-4">
              <LongField
                label={words.designer.purpose}
                problem={findProblem('purpose')}
                value={team.purpose}
                onChange={(purpose) => edit({ ...team, purpose }, 'purpose')}
              />
              <LongField
                label={words.teams.told}
                problem={findProblem('supervisor')}
                value={team.supervisor ?? ''}
                onChange={(text) => {
                  const { supervisor: _before, ...others } = team
                  edit(text === '' ? others : { ...others, supervisor: text }, 'supervisor')
                }}
              />
            </div>
          </Section>
          <Checks checks={team.checks} findProblem={findProblem} edit={(checks) => edit({ ...team, checks })} />
        </div>
      </div>
      <footer className="flex flex-col gap-2">
        {[...otherIssues.map(({ message, path }) => `${path.join('.')}: ${message}`), ...flaws].map((text) => (
          <p key={text} className="text-13 text-warn" role="alert">
            {text}
          </p>
        ))}
        <LoadError error={check.error} isInText />
        <ErrorBanner error={send.error} isInText />
      </footer>
    </div>
  )
}

/** Validates the team on the server shortly after a change. Returns the previous result meanwhile. */
function useTeamCheck(team: Team) {
  const settled = useDebounced(team)
  const query = useQuery({
    queryKey: ['team-check', JSON.stringify(settled)],
    queryFn: () => api.post<Checked>('/teams/check', { team: settled }),
    placeholderData: (before: Checked | undefined) => before,
  })
  return { ...query, isPlaceholderData: query.isPlaceholderData || settled !== team }
}

/** Undo and redo history. */
function useHistory(start: Team) {
  const [{ all, at, field: lastField }, setHistory] = useState<{
    readonly all: readonly Team[]
    readonly at: number
    readonly field?: string | undefined
  }>({ all: [start], at: 0 })
  const current = all[at]!
  return {
    current,
    /** @param field the edited field; consecutive edits of one field are undone in one step */
    edit(changed: Team, field?: string): void {
      if (changed === current) return
      const past = all.slice(0, field !== undefined && field === lastField && at > 0 ? at : at + 1)
      setHistory({ all: [...past, changed], at: past.length, field })
    },
    undo: at === 0 ? undefined : () => setHistory({ all, at: at - 1 }),
    redo: at === all.length - 1 ? undefined : () => setHistory({ all, at: at + 1 }),
  }
}
