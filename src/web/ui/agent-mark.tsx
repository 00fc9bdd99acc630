import {
  Brain,
  Code2,
  Database,
  FileText,
  Globe,
  Mail,
  PenLine,
  Plug,
  Scale,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import { hueOf, type Hue } from '../run/agents.ts'
import { useWords } from '../locales/words.tsx'

const ICONS: Readonly<Record<Hue, LucideIcon>> = {
  planner: Workflow,
  database: Database,
  documents: FileText,
  api: Plug,
  python: Code2,
  mail: Mail,
  web: Globe,
  mcp: Brain,
  writer: PenLine,
  critic: Scale,
}

/** The coloured mark of an agent; what it means is said to who cannot see it. */
export function AgentMark({ actor }: { actor: string }) {
  const Icon = ICONS[hueOf(actor)]
  const name = useAgentName()(actor)
  return (
    <span className="ag" data-hue={hueOf(actor)} role="img" aria-label={name} title={name}>
      <Icon aria-hidden />
    </span>
  )
}

/** What people call an agent; one that no one here knows keeps the name that it was given. */
export function useAgentName(): (actor: string) => string {
  const { words } = useWords()
  return (actor) => words.agent[actor] ?? actor.replace(/^mcp_agent_/, '').replaceAll(/[-_]/g, ' ')
}
