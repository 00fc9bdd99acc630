import { useQuery } from '@tanstack/react-query'
import { api, type Page } from '../../app/api.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Loading, Trouble } from '../../ui/states.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useWords } from '../../words/words.tsx'

interface Agent {
  readonly name: string
  readonly description: string
  readonly tools: readonly { readonly name: string; readonly effect: 'read' | 'write' | 'irreversible' }[]
  /** What it lacks to be given work. */
  readonly unavailable?: string
}

const TONES = { read: '', write: 'tone-info', irreversible: 'tone-warn' } as const

/** Who can be given a task here, with which tools, and what one lacks that cannot. */
export default function AgentsPage() {
  const { words } = useWords()
  const nameOf = useAgentName()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => api.get<Page<Agent>>('/agents', signal),
  })
  return (
    <>
      <TopBar title={words.agents.title} />
      <div className="min-h-0 flex-1 overflow-y-auto p-4 md:px-6">
        <p className="mb-4 text-13 text-text-2">{words.agents.lead}</p>
        {isPending ? <Loading /> : null}
        {error === null ? null : <Trouble error={error} retry={() => void refetch()} />}
        <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
          {data?.items.map(({ name, description, tools, unavailable }) => (
            <li key={name} className="card flex flex-col gap-2 p-4">
              <h2 className="flex items-center gap-2 text-14 font-semibold">
                <AgentMark actor={name} />
                {nameOf(name)}
                {unavailable === undefined ? null : (
                  <span className="badge tone-warn ml-auto">{words.agents.lacks}</span>
                )}
              </h2>
              <p className="text-13 text-text-2">{description}</p>
              {unavailable === undefined ? null : <p className="text-12 text-warn">{unavailable}</p>}
              <div className="mt-auto flex flex-wrap gap-1 pt-1">
                {tools.map((tool) => (
                  <span key={tool.name} className={`badge mono ${TONES[tool.effect]}`} title={tool.effect}>
                    {tool.name}
                  </span>
                ))}
              </div>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
