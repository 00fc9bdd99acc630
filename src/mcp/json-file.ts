import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import { tryParseJson } from '../shared/json.ts'

/** Reads a JSON file. @throws TuttiError `StorageError` if it cannot be read or does not match the schema */
export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  what = 'with this MCP server',
): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined
    throw new TuttiError('StorageError', `${path} cannot be read: ${cause.message}.`, { cause })
  })
  if (text === undefined) return undefined
  const parsed = schema.safeParse(tryParseJson(text))
  if (parsed.success) return parsed.data
  throw new TuttiError('StorageError', `${path} is damaged; delete it to begin anew ${what}.`)
}

/** Replaces the file atomically; only this user can read it. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = join(dirname(path), `${randomUUID()}.draft`)
  await writeFile(draft, JSON.stringify(value, null, 1), { mode: 0o600 })
  await rename(draft, path)
}
