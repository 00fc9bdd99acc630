import { posix } from 'node:path'
import type { Import } from './imports.ts'

/** What the files of one part of `src/` may import, besides their own part and what Node brings. */
interface Part {
  readonly parts: readonly string[]
  /** npm packages; absent means any. */
  readonly packages?: readonly string[]
  /** Whether Node's own modules are allowed; they are unless said otherwise. */
  readonly pure?: boolean
}

const CAPABILITIES = ['knowledge', 'memory', 'databases', 'http', 'mail', 'web-search', 'mcp', 'sandbox']
const BELOW_APP = [
  'core',
  'language',
  'strategies',
  'storage',
  'engine',
  'models',
  'people',
  'schedules',
  'terms',
  'question-to-sql',
  'agents',
  'grounding',
  'tool-loop',
  'demo',
  'evaluation',
  'evaluation/kept',
  'processes',
  'markup',
  'tracing',
  ...CAPABILITIES,
]

/** The table of imports: an import only ever goes down. Folders are named as under `src/`, root files by their name. */
const PARTS: Readonly<Record<string, Part>> = {
  core: { parts: [], packages: ['zod'], pure: true },
  strategies: { parts: ['core', 'language'], packages: ['zod'], pure: true },
  testing: { parts: ['core'], packages: [] },
  language: { parts: ['core'], packages: [], pure: true },
  processes: { parts: ['core'] },
  markup: { parts: ['core'] },
  storage: { parts: ['core', 'storage/sql'] },
  'storage/sql': { parts: ['core'] },
  engine: { parts: ['core', 'language', 'grounding'], packages: ['zod'] },
  models: { parts: ['core'] },
  demo: { parts: [], packages: ['libsql', 'zod'] },
  ...Object.fromEntries(CAPABILITIES.map((name) => [name, { parts: ['core', 'language'] }])),
  databases: { parts: ['core', 'mcp', 'processes'] },
  mcp: { parts: ['core', 'processes'] },
  sandbox: { parts: ['core', 'processes'] },
  knowledge: { parts: ['core', 'language', 'http', 'mail', 'markup', 'processes', 'storage/sql'] },
  mail: { parts: ['core', 'http', 'markup'] },
  'web-search': { parts: ['core', 'http', 'markup', 'processes'] },
  people: { parts: ['core', 'storage/sql'] },
  schedules: { parts: ['core', 'http', 'people', 'storage/sql'] },
  terms: { parts: ['core', 'databases'] },
  tracing: { parts: ['core', 'http'] },
  'question-to-sql': { parts: ['core', 'language', 'databases', 'terms'] },
  grounding: { parts: ['core'], packages: [], pure: true },
  'tool-loop': { parts: ['core', 'grounding'], packages: [], pure: true },
  agents: {
    parts: [
      'core',
      'processes',
      'strategies',
      'language',
      'terms',
      'question-to-sql',
      'grounding',
      'tool-loop',
      ...CAPABILITIES,
    ],
  },
  app: { parts: BELOW_APP },
  'app.ts': { parts: ['app', ...BELOW_APP] },
  setup: { parts: ['app.ts', 'app', ...BELOW_APP] },
  evaluation: { parts: ['core', 'language'], packages: ['zod'], pure: true },
  'evaluation/kept': { parts: ['core', 'evaluation', 'people', 'storage/sql'] },
  'index.ts': { parts: ['setup', 'app.ts', 'app', ...BELOW_APP] },
  server: { parts: ['setup', 'app.ts', 'app', ...BELOW_APP] },
  cli: { parts: ['server', 'setup', 'app.ts', 'app', ...BELOW_APP] },
  client: { parts: ['core'] },
  web: { parts: ['client'] },
}

/** Parts that hold concrete adapters. Others may know their types; only `src/app.ts`, with its parts in `src/app/`, puts the things
 * themselves to use. */
const ADAPTERS = new Set(['storage', 'models', 'databases'])
const MAY_USE_ADAPTERS = new Set(['app', 'app.ts', 'index.ts', 'setup'])

/** Data of the package that code reads by a URL. */
const SHIPPED_DATA = /^\.\.\/(?:package\.json$|assets\/)/

/**
 * Says what is wrong with an import, or undefined when it is allowed.
 * @param file path under `src/`, with `/`
 */
export function judge(file: string, { specifier, kind, line }: Import): string | undefined {
  const complain = (why: string): string => `src/${file}:${line} imports ${specifier ?? 'a computed path'}: ${why}`
  const from = partOf(file)
  const rule = PARTS[from]
  if (rule === undefined) {
    return complain(
      `src/${from} is not in the table of test/architecture/rules.ts. Put the file into a folder that is.`,
    )
  }
  // The user's own files have no name that could be written here.
  if (specifier === undefined) {
    return file === 'agents/registry/import-default.ts'
      ? undefined
      : complain('write the path as a plain string, so that it can be checked.')
  }
  if (!specifier.startsWith('.')) return judgePackage(from, rule, specifier, complain)
  const target = posix.join(posix.dirname(file), specifier)
  if (SHIPPED_DATA.test(target) && kind === 'lazy') return undefined
  if (target.startsWith('..')) return complain('it lies outside of src.')
  const to = partOf(target)
  if (to === from) return judgeSiblings(file, target, complain)
  if (!rule.parts.includes(to)) {
    return complain(
      `${from} may import ${rule.parts.length === 0 ? 'no other part of src' : `only ${rule.parts.join(', ')}`}.`,
    )
  }
  if (kind !== 'type' && ADAPTERS.has(to) && !MAY_USE_ADAPTERS.has(from)) {
    return complain(
      `only src/app.ts builds what is in ${to}; ${from} may import its types (import type) and is given the rest.`,
    )
  }
  return undefined
}

function judgePackage(
  from: string,
  rule: Part,
  specifier: string,
  complain: (why: string) => string,
): string | undefined {
  if (specifier.startsWith('node:')) {
    return rule.pure ? complain(`${from} is pure and uses nothing of Node.`) : undefined
  }
  const name = packageName(specifier)
  if (rule.packages === undefined || rule.packages.includes(name)) return undefined
  return complain(
    `${from} may use ${rule.packages.length === 0 ? 'no package' : `only the package ${rule.packages.join(', ')}`}.`,
  )
}

/** What several specialists use, and is none itself. */
const SHARED_ROOMS = new Set(['answers', 'chart', 'python', 'reckoning', 'rules', 'tool-agent', 'mcp'])

/** One specialist knows nothing of another, nor what lies beside them of any: each is a folder that can be taken out. */
function judgeSiblings(file: string, target: string, complain: (why: string) => string): string | undefined {
  const [part, own] = file.split('/')
  const [, other, ...otherRest] = target.split('/')
  // The program of the thread lists the rules of every agent.
  if (file === 'agents/rules/rules.ts') return undefined
  if (part !== 'agents' || otherRest.length === 0 || own === other || SHARED_ROOMS.has(other!)) return undefined
  return complain(`the agent ${own} may not import the agent ${other}.`)
}

const INNER = ['storage/sql', 'evaluation/kept']

/** The folder under `src/`, or the name of a file that lies in `src/` itself. One folder inside another is a part, too. */
function partOf(file: string): string {
  return INNER.find((part) => file.startsWith(`${part}/`)) ?? file.split('/', 1)[0]!
}

/** `@scope/name` or `name`, without a path inside the package. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
