import { posix } from 'node:path'
import type { Import } from './imports.ts'

/** Allowed imports for the files of one part of `src/`, besides their own part and Node's modules. */
interface Part {
  readonly parts: readonly string[]
  /** npm packages; absent means any. */
  readonly packages?: readonly string[]
  /** Whether Node's own modules are allowed; they are unless said otherwise. */
  readonly pure?: boolean
}

const CAPABILITIES = ['documents', 'memory', 'databases', 'http', 'mail', 'web-search', 'mcp', 'sandbox']
const SURROUNDINGS = ['accounts', 'schedules', 'evaluation', 'evaluation/stored', 'processes', 'markup', 'tracing']
const CORE = ['strategies', 'storage', 'engine', 'models', 'databases/glossary', 'agents', 'grounding', 'tool-loop']
const BELOW_APP = ['domain', 'shared', ...CORE, ...SURROUNDINGS, ...CAPABILITIES]
const APP = ['app/setup.ts', 'app/connections', 'app/config', 'app']

const above = (...parts: readonly string[]): Part => ({ parts: ['domain', 'shared', ...parts] })

/** The table of imports: an import only goes down. Keys are folders of `src/`, or names of root files. */
const PARTS: Readonly<Record<string, Part>> = {
  shared: { parts: [], packages: [], pure: true },
  domain: { parts: ['shared'], packages: ['zod'], pure: true },
  strategies: { ...above('grounding', 'tool-loop'), packages: ['zod'], pure: true },
  testing: { ...above(), packages: [] },
  processes: above(),
  markup: above(),
  storage: above('storage/sql'),
  'storage/sql': above(),
  engine: { ...above('grounding'), packages: ['zod'] },
  models: above(),
  ...Object.fromEntries(CAPABILITIES.map((name) => [name, above()])),
  databases: above('mcp', 'processes'),
  mcp: above('processes'),
  sandbox: above('processes'),
  documents: above('http', 'mail', 'markup', 'processes', 'storage/sql'),
  mail: above('http', 'markup'),
  'web-search': above('http', 'markup', 'processes'),
  accounts: above('storage/sql'),
  schedules: above('http', 'accounts', 'storage/sql'),
  'databases/glossary': above('databases'),
  tracing: above('http'),
  grounding: { ...above(), packages: [], pure: true },
  'tool-loop': { ...above('grounding'), packages: [], pure: true },
  agents: above('processes', 'strategies', 'databases/glossary', 'grounding', 'tool-loop', ...CAPABILITIES),
  // Attached only by app/, when no model is configured.
  offline: above(
    'processes',
    'strategies',
    'tool-loop',
    'databases/glossary',
    'agents',
    'databases',
    'documents',
    'mail',
  ),
  'app/config': { parts: BELOW_APP },
  app: { parts: ['app/config', 'offline', ...BELOW_APP] },
  'app/connections': { parts: ['app/config', 'app', ...BELOW_APP] },
  'app/setup.ts': { parts: ['app', 'app/config', 'app/connections', ...BELOW_APP] },
  evaluation: { ...above(), packages: ['zod'], pure: true },
  'evaluation/stored': above('evaluation', 'accounts', 'storage/sql'),
  'index.ts': { parts: [...APP, ...BELOW_APP] },
  server: { parts: [...APP, ...BELOW_APP] },
  cli: { parts: ['server', ...APP, ...BELOW_APP] },
  client: above(),
  web: { parts: ['client'] },
}

/** Parts with concrete adapters. Other parts may import their types; only `src/app/` may import the implementations. */
const ADAPTERS = new Set(['storage', 'models', 'databases'])
const MAY_USE_ADAPTERS = new Set([...APP, 'index.ts'])

/** Data of the package that code reads by a URL. */
const SHIPPED_DATA = /^\.\.\/(?:package\.json$|assets\/)/

/**
 * Returns the fault of an import, or undefined when it is allowed.
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
  // Files of users have no fixed name.
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
      `only src/app builds what is in ${to}; ${from} may import its types (import type) and is given the rest.`,
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

/** Parts that several specialists share. */
const SHARED_ROOMS = new Set(['chart', 'python', 'computation', 'tool-agent', 'mcp'])

/** A specialist imports no other specialist, and shared parts import none: each is a removable folder. */
function judgeSiblings(file: string, target: string, complain: (why: string) => string): string | undefined {
  const [part, own] = file.split('/')
  const [, other, ...otherRest] = target.split('/')
  if (part !== 'agents' || otherRest.length === 0 || own === other || SHARED_ROOMS.has(other!)) return undefined
  return complain(`the agent ${own} may not import the agent ${other}.`)
}

const INNER = Object.keys(PARTS).filter((part) => part.includes('/'))

/** The folder under `src/`, or the name of a file that lies in `src/` itself. One folder inside another is a part, too. */
function partOf(file: string): string {
  return INNER.find((part) => file === part || file.startsWith(`${part}/`)) ?? file.split('/', 1)[0]!
}

/** `@scope/name` or `name`, without a path inside the package. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
