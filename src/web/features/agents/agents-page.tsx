import type { Schemas } from '../../../client/api-types.ts'
import { Check, CircleDashed, CircleSlash, TriangleAlert } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { api, type Items } from '../../../client/api.ts'
import { useEndpoint } from '../../app/data.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { ServerText } from '../../ui/states.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'
import { NotReady } from './not-ready.tsx'

type RecentUse = Schemas['AgentLately']

const TONES = { read: '', write: 'tone-info', irreversible: 'tone-warn' } as const

/** All agents: their tools, their recent runs, and what those that cannot be used lack. */
export default function AgentsPage() {
  const { words } = useWords()
  const agents = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => api.get<Items<Schemas['Agent']>>('/agents', signal),
  })
  // The page does not wait for it.
  const recent = useEndpoint('/agents/lately').data?.items
  return (
    <Page title={words.agents.title} lead={words.agents.lead}>
      <List query={agents} className="grid gap-3 md:grid-cols-2 xl:grid-cols-3" empty={null}>
        {(agent) => <Entry key={agent.name} agent={agent} recent={recent?.find(({ name }) => name === agent.name)} />}
      </List>
    </Page>
  )
}

function Entry({ agent, recent }: { agent: Schemas['Agent']; recent: RecentUse | undefined }) {
  const { words } = useWords()
  const nameOf = useAgentName()
  const { name, description, tools, unavailable } = agent
  return (
    <li className="card flex flex-col gap-2 p-4">
      <h2 className="flex items-center gap-2 text-14 font-semibold">
        <AgentMark actor={name} />
        {nameOf(name)}
        {unavailable === undefined ? null : <span className="badge tone-warn ml-auto">{words.agents.lacks}</span>}
        {unavailable !== undefined || recent === undefined ? null : (
          <span className="mono ml-auto min-w-0 text-11 font-normal text-text-3 wrap-anywhere">
            {recent.model ?? words.agentsPage.byRules}
          </span>
        )}
      </h2>
      <p lang="en" className="text-13 text-text-2">
        {description}
      </p>
      {unavailable === undefined ? null : <NotReady agent={name} why={unavailable} />}
      <div className="mt-auto flex flex-wrap gap-1 pt-1">
        {tools.map((tool) => (
          <span
            key={tool.name}
            className={`badge mono ${TONES[tool.effect]}`}
            title={words.servers.effect[tool.effect]}
          >
            {tool.name}
          </span>
        ))}
      </div>
      {recent === undefined || (unavailable !== undefined && recent.at === undefined) ? null : (
        <RecentRuns use={recent} />
      )}
    </li>
  )
}

/** Results of the agent's recent tasks, with links to the runs of its errors. */
function RecentRuns({ use: { done, failed, declined, errors, at } }: { use: RecentUse }) {
  const { formats, words } = useWords()
  const texts = words.agentsPage
  const [Icon, tone, text] =
    failed > 0
      ? ([TriangleAlert, 'text-warn', texts.failed({ n: failed, all: done + failed + declined })] as const)
      : declined > 0
        ? ([
            CircleSlash,
            'text-text-3',
            done === 0 ? texts.declinedAll({ n: declined }) : texts.declinedSome({ n: declined, all: done + declined }),
          ] as const)
        : done > 0
          ? ([Check, 'text-ok', texts.well({ n: done })] as const)
          : ([CircleDashed, 'text-text-3', at === undefined ? texts.notAsked : texts.asked] as const)
  return (
    <div className="flex flex-col gap-1.5 border-t border-line pt-2 text-12 text-text-2">
      <p className="flex items-start gap-1.5">
        <Icon size={14} aria-hidden className={`mt-0.5 flex-none ${tone}`} />
        <span>
          {text}
          {at === undefined ? null : <span className="text-text-3"> · {formats.date(at)}</span>}
        </span>
      </p>
      {errors.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-accent-text">{texts.errors}</summary>
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {errors.map(({ runId, at: when, message }) => (
              <li key={`${runId} ${when}`} className="wrap-anywhere">
                <ServerText text={message} />{' '}
                <TextLink to="/runs/$runId" params={{ runId }} text={formats.date(when)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
