import type { Schemas } from '../../../client/api-types.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { NotReady } from './not-ready.tsx'

type Agent = Schemas['Agent']

const TONES = { read: '', write: 'tone-info', irreversible: 'tone-warn' } as const

/** Who can be given a task here, with which tools, and what one lacks that cannot. */
export default function AgentsPage() {
  const { words } = useWords()
  const say = words.agentsPage
  const nameOf = useAgentName()
  const agents = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => api.get<Items<Agent>>('/agents', signal),
  })
  // Beside them: it is no reason to wait.
  const lately = useGet<Items<Schemas['AgentLately']>>('/agents/lately').data?.items
  return (
    <Page title={words.agents.title} lead={words.agents.lead}>
      <Fetched query={agents}>
        {({ items }) => (
          <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
            {items.map(({ name, description, tools, unavailable }) => {
              const did = lately?.find((one) => one.name === name)
              return (
                <li key={name} className="card flex flex-col gap-2 p-4">
                  <h2 className="flex items-center gap-2 text-14 font-semibold">
                    <AgentMark actor={name} />
                    {nameOf(name)}
                    {unavailable !== undefined ? (
                      <span className="badge tone-warn ml-auto">{words.agents.lacks}</span>
                    ) : did === undefined ? null : (
                      <span className="mono ml-auto min-w-0 text-11 font-normal text-text-3 wrap-anywhere">
                        {did.model ?? say.byRules}
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
                  {did === undefined || (unavailable !== undefined && did.at === undefined) ? null : (
                    <RecentRuns of={did} />
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Fetched>
    </Page>
  )
}
