import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { TuttiError } from '../core/errors.ts'
import { parsedJson } from '../core/outside.ts'
import type { McpSpec } from './client.ts'
import type { McpTool } from './offered.ts'

/** What servers said of their tools when those were accepted. A server is known by its name together with where it is. */
export interface AcceptedTools {
  /** Undefined for a server of which nothing was accepted yet. @throws TuttiError `StorageError` for a file that cannot be read */
  read(spec: McpSpec): Promise<readonly McpTool[] | undefined>
  write(spec: McpSpec, tools: readonly McpTool[]): Promise<void>
}

const file = z.object({
  server: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      readOnly: z.boolean(),
    }),
  ),
})

/** @param folder where they are kept; in memory when absent */
export function acceptedTools(folder: string | undefined): AcceptedTools {
  if (folder === undefined) {
    const kept = new Map<string, readonly McpTool[]>()
    return {
      read: async (spec) => kept.get(identityOf(spec)),
      write: async (spec, tools) => void kept.set(identityOf(spec), tools),
    }
  }
  const pathOf = (spec: McpSpec): string => join(folder, `${identityOf(spec)}.json`)
  return {
    async read(spec) {
      const path = pathOf(spec)
      const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return undefined
        throw new TuttiError('StorageError', `${path} cannot be read: ${cause.message}.`, { cause })
      })
      if (text === undefined) return undefined
      const parsed = file.safeParse(parsedJson(text))
      if (parsed.success) return parsed.data.tools
      throw new TuttiError(
        'StorageError',
        `${path} is damaged, so nobody knows which tools of the MCP server "${spec.name}" were accepted; delete it to accept those that it has now.`,
      )
    },
    async write(spec, tools) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `${randomUUID()}.draft`)
      await writeFile(draft, JSON.stringify({ server: spec.name, tools }, null, 1), { mode: 0o600 })
      await rename(draft, pathOf(spec))
    },
  }
}

/** Nothing can be read from it: arguments may hold a key. */
export function identityOf(spec: McpSpec): string {
  const { name, transport } = spec
  const place =
    transport === 'stdio' ? [spec.command, spec.args ?? [], spec.cwd ?? ''] : transport === 'http' ? [spec.url] : []
  return createHash('sha256')
    .update(JSON.stringify([name, transport, ...place]))
    .digest('hex')
    .slice(0, 32)
}
