import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { McpSpec } from './spec.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import type { McpTool } from './tool-list.ts'

/** Tool pinning: tools as they were when they were accepted. A server is identified by its name and location. */
export interface ToolPins {
  /** Undefined if no tools of the server were accepted. @throws TuttiError `StorageError` if the file cannot be read */
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

/** @param folder in memory if absent */
export function toolPins(folder: string | undefined): ToolPins {
  if (folder === undefined) {
    const pins = new Map<string, readonly McpTool[]>()
    return {
      read: async (spec) => pins.get(identityOf(spec)),
      write: async (spec, tools) => void pins.set(identityOf(spec), tools),
    }
  }
  const pathOf = (spec: McpSpec): string => join(folder, `${identityOf(spec)}.json`)
  return {
    read: async (spec) => (await readJsonFile(pathOf(spec), file))?.tools,
    write: (spec, tools) => writeJsonFile(pathOf(spec), { server: spec.name, tools }),
  }
}

/** A hash, since arguments may contain a key. */
function identityOf(spec: McpSpec): string {
  const { name, transport } = spec
  const place =
    transport === 'stdio' ? [spec.command, spec.args ?? [], spec.cwd ?? ''] : transport === 'http' ? [spec.url] : []
  return createHash('sha256')
    .update(JSON.stringify([name, transport, ...place]))
    .digest('hex')
    .slice(0, 32)
}
