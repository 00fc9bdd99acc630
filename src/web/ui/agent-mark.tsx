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

/** Coloured mark of an agent, with a label for screen readers. */
export function AgentMark({ actor }: { actor: string }) {
  const hue = hueOf(actor)
  const Icon = ICONS[hue]
  const name = useAgentName()(actor)
  return (
    <span
      className="ag"
      style={{ color: `var(--ag-${hue})`, background: `var(--ag-${hue}-s)` }}
      role="img"
      aria-label={name}
      title={name}
    >
      <Icon aria-hidden />
    </span>
  )
}

/** Returns the display name of an agent. Unknown agents keep their own name. */
export function useAgentName(): (actor: string) => string {
  const { words } = useWords()
  return (actor) => words.agent[actor] ?? actor.replace(/^mcp_agent_/, '').replaceAll(/[-_]/g, ' ')
}
