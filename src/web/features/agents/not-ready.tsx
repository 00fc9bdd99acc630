import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../../app/session.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { ServerText } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useAgents } from '../chat/use-agents.ts'

/** Agents that need a source which can be connected on its page. */
const CONNECTED = new Set(['sql', 'mail'])
/** Agents that need a setup described in the guide. */
const IN_GUIDE: Readonly<Record<string, string>> = { api: '/guide/configuration', web: '/guide/mail-and-web' }

/** The missing requirement of an agent, with a link to the setup for users who may do it. */
export function NotReady({ agent, why }: { agent: string; why: string }) {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const guide = IN_GUIDE[agent]
  const look = 'whitespace-nowrap text-accent-text underline'
  return (
    <p className="text-12 text-warn">
      <ServerText text={why} />{' '}
      {agent === 'rag' ? (
        <Link to="/documents" className={look}>
          {words.nav.documents}
        </Link>
      ) : !isAdmin ? null : CONNECTED.has(agent) ? (
        <Link to="/setup" className={look}>
          {words.reading.connectSources}
        </Link>
      ) : guide === undefined ? null : (
        <a href={guide} className={look}>
          {words.palette.guide}
        </a>
      )}
    </p>
  )
}

/** Agents by name where one is chosen, with which of them are not ready. */
export function useAgentLabel(): (agent: string) => string {
  const { words } = useWords()
  const nameOf = useAgentName()
  const agents = useAgents()
  const lacks = (agent: string): boolean =>
    agents.some(({ name, unavailable }) => name === agent && unavailable !== undefined)
  return (agent) => `${nameOf(agent)}${lacks(agent) ? ` · ${words.agents.lacks}` : ''}`
}
