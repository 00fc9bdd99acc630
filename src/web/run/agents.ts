/** The colour and mark of an actor: one for each kind of work. */
export type Hue = 'planner' | 'database' | 'documents' | 'api' | 'python' | 'mail' | 'web' | 'mcp' | 'writer' | 'critic'

const HUES: Readonly<Record<string, Hue>> = {
  sql: 'database',
  rag: 'documents',
  api: 'api',
  computation: 'python',
  code: 'python',
  mail: 'mail',
  web: 'web',
  planner: 'planner',
  'master-planner': 'planner',
  preprocess: 'planner',
  supervisor: 'planner',
  'review-planner': 'planner',
  'review-expert': 'writer',
  finalizer: 'writer',
  composer: 'writer',
  qa: 'writer',
}

/** Unknown agents, such as those of MCP servers and of the user, share one colour. */
export function hueOf(actor: string): Hue {
  if (actor.startsWith('critic')) return 'critic'
  return HUES[actor] ?? 'mcp'
}
