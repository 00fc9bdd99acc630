import { useIsAdmin } from '../../app/session.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { ServerText } from '../../ui/states.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'
import { useAgents } from '../chat/use-agents.ts'

/** Agents that need a setup described in the guide. */
const GUIDES: Readonly<Record<string, string>> = { api: '/guide/configuration', web: '/guide/mail-and-web' }

/** The missing requirement of an agent, with a link to the setup for users who may do it. */
export function NotReady({ agent, why }: { agent: string; why: string }) {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const guide = GUIDES[agent]
  return (
    <p className="text-12 text-warn">
      <ServerText text={why} /> {agent === 'rag' ? <TextLink to="/documents" text={words.nav.documents} /> : null}
      {isAdmin && (agent === 'sql' || agent === 'mail') ? (
        <TextLink to="/setup" text={words.reading.connectSources} />
      ) : null}
      {isAdmin && guide !== undefined ? (
        <a href={guide} className="text-accent-text underline">
          {words.palette.guide}
        </a>
      ) : null}
    </p>
  )
}

/** Returns the name of an agent in a list of choices, with a remark if it is not ready. */
export function useAgentLabel(): (agent: string) => string {
  const { words } = useWords()
  const nameOf = useAgentName()
  const unavailable = new Set(useAgents().flatMap((agent) => (agent.unavailable === undefined ? [] : [agent.name])))
  return (agent) => `${nameOf(agent)}${unavailable.has(agent) ? ` · ${words.agents.lacks}` : ''}`
}
