import { useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Play, Plus, Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { addDependency, addMember, isCircularIn, removeMember, type Team } from '../../run/team-edit.ts'
import { LongField, Section } from '../../ui/field.tsx'
import { LoadError, Trouble } from '../../ui/states.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { useWords } from '../../locales/words.tsx'
import { PlanGraph } from '../run/plan-graph.tsx'
import { memberSteps } from './team-details.tsx'
import { Checks, Fault, type FindProblem } from './team-checks.tsx'
import { MemberPanel, type Tool } from './team-member.tsx'

interface Checked {
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
  readonly flaws: readonly string[]
  readonly tools: readonly Tool[]
}

const MAX_MEMBERS = 8

/**
 * Editor for a team, as a diagram with a panel. A changed team must be approved and pass its checks before it is used.
 */
export default function TeamDesigner({ team: stands, close }: { team: Team; close: () => void }) {
  const { words } = useWords()
  const { now: team, edit, undo, redo } = useHistory(stands)
  const [selected, select] = useState(0)
  const [told, tell] = useState('')
  const checked = useChecked(team)
  const navigate = useNavigate()
  const path = `/teams/${encodeURIComponent(stands.name)}`
  const send = useChange(async () => {
    const { runId } = await api.post<{ runId: string }>(`${path}/versions`, { team })
    await navigate({ to: '/runs/$runId', params: { runId } })
  }, '/teams')
  const at = Math.min(selected, team.agents.length - 1)
  const issues = checked.data?.issues ?? []
  const findProblem: FindProblem = (...where) =>
    issues.find(({ path: place }) => place.join('.') === where.join('.'))?.message
  // What belongs to no field that is shown.
  const rest = issues.filter(({ path: [first, , field] }) =>
    first === 'agents' ? field === undefined : first !== 'checks' && first !== 'purpose' && first !== 'supervisor',
  )
  const faults = issues.length + (checked.data?.flaws.length ?? 0)
  const isChanged = JSON.stringify(team) !== JSON.stringify(stands)
  const isWhole = checked.data !== undefined && !checked.isPlaceholderData && faults === 0
  const refusal = (from: string, to: string): string | undefined =>
    isCircularIn(team, Number(to), Number(from)) ? words.designer.circle : undefined
  const connect = (from: string, to: string): void => {
    tell(refusal(from, to) ?? '')
    edit(addDependency(team, Number(to), Number(from)))
  }
  const remove = (place: number): void => {
    if (team.agents.length === 1) return tell(words.designer.last)
    edit(removeMember(team, place))
    tell(words.designer.removed)
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
        <button
          type="button"
          className="btn btn-sm"
          disabled={team.agents.length >= MAX_MEMBERS}
          onClick={() => {
            edit(addMember(team))
            select(team.agents.length)
          }}
        >
          <Plus size={14} aria-hidden />
          {words.designer.add}
        </button>
        <button type="button" className="btn btn-sm" disabled={undo === undefined} onClick={undo}>
          <Undo2 size={14} aria-hidden />
          {words.app.undo}
        </button>
        <button type="button" className="btn btn-sm" disabled={redo === undefined} onClick={redo}>
          <Redo2 size={14} aria-hidden />
          {words.designer.redo}
        </button>
        <span className="flex flex-wrap items-center gap-2 md:ml-auto">
          <button type="button" className="btn btn-ghost btn-sm" onClick={close}>
            {words.app.discard}
          </button>
          <button
            type="button"
            className="btn btn-primary btn-sm"
            disabled={!isChanged || !isWhole || send.isPending}
            onClick={() => send.mutate()}
          >
            <Play size={14} aria-hidden />
            {words.designer.send}
          </button>
        </span>
      </div>
      <p className="mb-2 flex flex-wrap gap-x-4 text-12 text-text-2">
        <span role="status">
          {told === '' ? <span className="hidden md:inline">{words.designer.hint}</span> : told}
        </span>
        <span className={`md:ml-auto ${faults > 0 ? 'text-warn' : ''}`}>
          {faults > 0 ? words.designer.faults({ n: faults }) : words.designer.next}
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
            tools={checked.data?.tools ?? []}
            said={findProblem}
            flaws={checked.data?.flaws ?? []}
            edit={edit}
            tell={tell}
            remove={() => remove(at)}
          />
        </div>
        <div>
          <Section title={words.designer.whole}>
            <div className="flex flex-col gap-3 p-4">
              <LongField
                label={words.designer.purpose}
                value={team.purpose}
                say={(purpose) => edit({ ...team, purpose }, 'purpose')}
              />
              <Fault text={findProblem('purpose')} />
              <LongField
                label={words.teams.told}
                value={team.supervisor ?? ''}
                say={(text) => {
                  const { supervisor: _before, ...others } = team
                  edit(text === '' ? others : { ...others, supervisor: text }, 'supervisor')
                }}
              />
              <Fault text={findProblem('supervisor')} />
            </div>
          </Section>
          <Checks checks={team.checks} said={findProblem} edit={(checks) => edit({ ...team, checks: [...checks] })} />
        </div>
      </div>
      <footer className="flex flex-col gap-2">
        {[
          ...rest.map(({ message, path: place }) => `${place.join('.')}: ${message}`),
          ...(checked.data?.flaws ?? []),
        ].map((text) => (
          <p key={text} className="text-13 text-warn" role="alert">
            {text}
          </p>
        ))}
        <LoadError error={checked.error} isInText />
        {send.error === null ? null : <Trouble error={send.error} isInText />}
      </footer>
    </div>
  )
}

/** Validates the team on the server shortly after a change. Returns the previous result meanwhile. */
function useChecked(team: Team) {
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
  const [{ all, at, what: typed }, setHistory] = useState<{
    readonly all: readonly Team[]
    readonly at: number
    readonly what?: string | undefined
  }>({ all: [start], at: 0 })
  const now = all[at]!
  return {
    now,
    /** @param what the edited field; consecutive edits of one field are undone in one step */
    edit(after: Team, what?: string): void {
      if (after === now) return
      const kept = all.slice(0, what !== undefined && what === typed && at > 0 ? at : at + 1)
      setHistory({ all: [...kept, after], at: kept.length, what })
    },
    undo: at === 0 ? undefined : () => setHistory({ all, at: at - 1 }),
    redo: at === all.length - 1 ? undefined : () => setHistory({ all, at: at + 1 }),
  }
}
