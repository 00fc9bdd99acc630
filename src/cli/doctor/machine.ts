import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TuttiError, toTuttiError } from '../../domain/errors.ts'
import type { Sandbox, SandboxDescription } from '../../sandbox/types.ts'

const PYTHON_TIMEOUT_MS = 60_000

export interface FolderReport {
  readonly path: string
  readonly exists: boolean
  /** Why it cannot be used; absent when it can. */
  readonly problem?: string
}

/** Whether the data folder can be written, or made. Nothing is created to find out. */
export async function checkFolder(path: string): Promise<FolderReport> {
  let place = path
  for (;;) {
    const stats = await stat(place).catch((error: NodeJS.ErrnoException) => error)
    if (!(stats instanceof Error)) {
      const exists = place === path
      if (!stats.isDirectory()) return { path, exists, problem: `${place} is not a folder` }
      return { path, exists, ...(await writeProblem(place)) }
    }
    const parent = dirname(place)
    const isMissing = stats.code === 'ENOENT' || stats.code === 'ENOTDIR'
    if (!isMissing || parent === place) return { path, exists: false, problem: `${place}: ${stats.message}` }
    place = parent
  }
}

async function writeProblem(folder: string): Promise<{ problem?: string }> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return {}
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `${folder} cannot be written (${code === 'EROFS' ? 'read-only file system' : code})` }
  }
}

export async function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Host and port without user and password; undefined for a file. */
export function hostAndPort(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return new URL(url).host || undefined
}

/** State of the sandbox after running a piece of code in it. */
export interface PythonReport extends SandboxDescription {
  /** Whether a piece of Python ran just now. */
  readonly works: boolean
  /** Why Python does not work although it should, in one sentence. */
  readonly problem?: string
}

/** Runs a piece of Python before reporting on the sandbox: a process that starts may still fail at its first job. */
export async function checkPython(sandbox: Sandbox): Promise<PythonReport> {
  const description = sandbox.describe()
  if (description.unavailable !== undefined) return { ...description, works: false }
  try {
    const { value, error } = await sandbox.run({ code: '1 + 1', timeoutMs: PYTHON_TIMEOUT_MS })
    if (value === 2) return { ...description, works: true }
    return { ...description, works: false, problem: `1 + 1 gave ${error?.message ?? JSON.stringify(value)}` }
  } catch (thrown) {
    const { message } = toTuttiError(thrown)
    const stderr = TuttiError.is(thrown, 'ToolError') ? thrown.details?.stderr : undefined
    const last = stderr?.trim().split('\n').at(-1)
    return { ...description, works: false, problem: last ? `${message} Last output: ${last}` : message }
  }
}
