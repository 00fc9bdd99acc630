import type { Schemas } from '../../../client/api-types.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { toName } from '../../run/team-edit.ts'
import { useMayChange } from '../../app/session.ts'
import { useAbout } from '../chat/use-agents.ts'
import { Field, Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

/** A team in one of its versions, as the server tells it. */
export type TeamVersion = Schemas['TeamVersion']

const DONE_BY_ONE = new Set(['sql', 'rag'])
/** How each state of a version looks. */
export const TONES = { ready: 'tone-ok', failed: 'tone-bad', trial: 'tone-warn', removed: 'tone-warn' }

/** Teams that one can put to work, and a place to have a new one designed. */
export default function TeamsPage() {
  const { words } = useWords()
  const { goal: given = '' } = useSearch({ from: '/teams' })
  const [goal, setGoal] = useState(given)
  // Examples that work with the connected sources, also without a model.
  const likely = useAbout()?.suggestions.find(({ agents }) => agents.length === 1 && DONE_BY_ONE.has(agents[0]!))
  const [name, setName] = useState('')
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const build = useChange(async () => {
    const { runId } = await api.post<{ runId: string }>('/teams', { goal, ...(name === '' ? {} : { name }) })
    await navigate({ to: '/runs/$runId', params: { runId } })
  }, '/teams')
  return (
    <Page title={words.teams.title} lead={words.teams.lead}>
      {mayChange ? (
        <Section title={words.teams.build} lead={words.teams.buildLead}>
          <form
            className="flex flex-wrap items-end gap-3 p-4"
            onSubmit={(event) => {
              event.preventDefault()
              build.mutate()
            }}
          >
            <div className="min-w-60 flex-1">
              <Field
                label={words.teams.goal}
                {...(likely === undefined
                  ? {}
                  : { placeholder: words.teams.goalExample({ question: likely.question }) })}
                required
                maxLength={4_000}
                value={goal}
                say={setGoal}
              />
            </div>
            <div className="w-full sm:w-52">
              <Field
                label={words.teams.name}
                placeholder={words.teams.nameHint}
                maxLength={40}
                value={name}
                say={(text) => setName(toName(text))}
              />
            </div>
            <button type="submit" className="btn btn-primary h-9" disabled={build.isPending}>
              {words.teams.design}
            </button>
          </form>
          {build.error === null ? null : <Trouble error={build.error} />}
        </Section>
      ) : null}
      <Fetched query={useGet<Items<TeamVersion>>('/teams')}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Workflow} title={words.teams.none}>
              {mayChange ? words.teams.noneHint : words.session.readOnly}
            </Empty>
          ) : (
            <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
              {items.map(({ name, version, team, status, isCurrent, isShared, isOwn }) => (
                <li key={name}>
                  <Link
                    to="/teams/$team"
                    params={{ team: name }}
                    className="card flex h-full flex-col gap-2 p-4 hover:border-line-strong"
                  >
                    <span className="flex flex-wrap items-center gap-2">
                      <span className="flex min-w-0 flex-1 basis-36 items-center gap-2">
                        <Workflow size={16} aria-hidden className="flex-none text-accent-text" />
                        <b className="cut" title={name}>
                          {name.replaceAll('_', ' ')}
                        </b>
                      </span>
                      <span className="badge">{words.teams.version({ n: version })}</span>
                      {isCurrent ? null : (
                        <>
                          <span className={`badge ${TONES[status]}`}>{words.teams.status[status]}</span>
                          <span className="badge">{words.teams.notUsed}</span>
                        </>
                      )}
                      {isShared || !isOwn ? <span className="badge tone-info">{words.teams.shared}</span> : null}
                    </span>
                    <span className="text-13 text-text-2">{team.purpose}</span>
                    <span className="mt-auto text-12 text-text-3">
                      {team.agents.map((agent) => agent.name).join(' · ')}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Page>
  )
}
