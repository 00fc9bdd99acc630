import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'

/** A file that declares agents, and the name of one that gives none. */
export interface AgentFile {
  readonly path: string
  readonly kind: 'yaml' | 'code'
  readonly fallbackName: string
}

const IN_FOLDER = ['agent.yaml', 'agent.yml', 'agent.ts', 'agent.mts', 'agent.js', 'agent.mjs']

/**
 * The agents of a folder, in order of name: `x.yaml`, `x.yml`, and of each subfolder the first of `agent.yaml`,
 * `agent.ts`, `agent.js` and the like.
 * @throws the file system's own error when the folder cannot be read
 */
export async function discoverAgents(folder: string): Promise<AgentFile[]> {
  const entries = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const found = await Promise.all(entries.map((name) => agentFile(folder, name)))
  return found.filter((file) => file !== undefined)
}

async function agentFile(folder: string, name: string): Promise<AgentFile | undefined> {
  const path = join(folder, name)
  if (!(await stat(path)).isDirectory()) return isYaml(name) ? fileOf(path, basename(name, extname(name))) : undefined
  const inside = await readdir(path)
  const own = IN_FOLDER.find((candidate) => inside.includes(candidate))
  return own === undefined ? undefined : fileOf(join(path, own), name)
}

function fileOf(path: string, fallbackName: string): AgentFile {
  return { path, kind: isYaml(path) ? 'yaml' : 'code', fallbackName }
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name)
}
