import type { Schemas } from '../../../client/api-types.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { toName } from '../../run/team-edit.ts'
import { useMayChange } from '../../app/session.ts'
import { useAbout } from '../chat/use-agents.ts'
import { Field, Section } from '../../ui/field.tsx'
import { List } from '../../ui/list.tsx'
import { InlineForm, useFields } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

export type TeamVersion = Schemas['TeamVersion']

/** Agents whose suggestions a team can answer. */
const EXAMPLE_AGENTS = new Set(['sql', 'rag'])
/** Badges of the states of a version. */
export const TONES = { ready: 'tone-ok', failed: 'tone-bad', trial: 'tone-warn', removed: 'tone-warn' }

/** The teams of the user, and a form for a new one. */
export default function TeamsPage() {
  const { words } = useWords()
  const mayChange = useMayChange()
  return (
    <Page title={words.teams.title} lead={words.teams.lead}>
      {mayChange ? <NewTeam /> : null}
      <List
        query={useEndpoint('/teams')}
        className="grid gap-3 md:grid-cols-2 xl:grid-cols-3"
        empty={
          <Empty
            icon={Workflow}
            title={words.teams.none}
            hint={mayChange ? words.teams.noneHint : words.session.readOnly}
          />
        }
      >
        {(version) => <Entry key={version.name} version={version} />}
      </List>
    </Page>
  )
}

function Entry({ version: { name, version, team, status, isCurrent, isShared, isOwn } }: { version: TeamVersion }) {
  const { words } = useWords()
  return (
    <li>
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
        <span className="mt-auto text-12 text-text-3">{team.agents.map((agent) => agent.name).join(' · ')}</span>
      </Link>
    </li>
  )
}

/** Starts a run in which the architect designs a team for a goal. */
function NewTeam() {
  const { words } = useWords()
  const { values, field } = useFields({ goal: '', name: '' })
  // Examples that work with the connected sources, also without a model.
  const example = useAbout()?.suggestions.find(({ agents }) => agents.length === 1 && EXAMPLE_AGENTS.has(agents[0]!))
  const navigate = useNavigate()
  const design = useChange(async () => {
    const { goal, name } = values
    const { runId } = await api.post<{ runId: string }>('/teams', { goal, ...(name === '' ? {} : { name }) })
    await navigate({ to: '/runs/$runId', params: { runId } })
  }, '/teams')
  return (
    <Section title={words.teams.build} lead={words.teams.buildLead}>
      <InlineForm mutation={design} action={words.teams.design}>
        <div className="min-w-60 flex-1">
          <Field
            label={words.teams.goal}
            placeholder={example === undefined ? '' : words.teams.goalExample({ question: example.question })}
            required
            maxLength={4_000}
            {...field('goal')}
          />
        </div>
        <div className="w-full sm:w-52">
          <Field
            label={words.teams.name}
            placeholder={words.teams.nameHint}
            maxLength={40}
            value={values.name}
            onChange={(text) => field('name').onChange(toName(text))}
          />
        </div>
      </InlineForm>
    </Section>
  )
}
