import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'

/** A file that declares agents, and the default name of an agent. */
export interface AgentFile {
  readonly path: string
  readonly kind: 'yaml' | 'code'
  readonly fallbackName: string
}

const IN_FOLDER = ['agent.yaml', 'agent.yml', 'agent.ts', 'agent.mts', 'agent.js', 'agent.mjs']

/**
 * The agents of a folder, in order of name: `x.yaml`, `x.yml`, and of each subfolder the first of `agent.yaml`,
 * `agent.ts` and `agent.js`, or a similar name.
 * @throws TuttiError `ConfigurationError` naming what cannot be read
 */
export async function discoverAgents(folder: string): Promise<AgentFile[]> {
  const entries = (await readable(folder, readdir(folder))).filter((name) => !name.startsWith('.')).sort()
  const found = await Promise.all(entries.map((name) => agentFile(folder, name)))
  return found.filter((file) => file !== undefined)
}

async function agentFile(folder: string, name: string): Promise<AgentFile | undefined> {
  const path = join(folder, name)
  const isFolder = (await readable(path, stat(path))).isDirectory()
  if (!isFolder) return isYaml(name) ? fileOf(path, basename(name, extname(name))) : undefined
  const inside = await readable(path, readdir(path))
  const own = IN_FOLDER.find((candidate) => inside.includes(candidate))
  return own === undefined ? undefined : fileOf(join(path, own), name)
}

function fileOf(path: string, fallbackName: string): AgentFile {
  return { path, kind: isYaml(path) ? 'yaml' : 'code', fallbackName }
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name)
}

function readable<T>(path: string, reading: Promise<T>): Promise<T> {
  return reading.catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'it is not there' : cause.message
    throw new TuttiError('ConfigurationError', `The agent folder ${path} cannot be read: ${reason}.`, {
      cause,
    })
  })
}
