import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TuttiError } from '../domain/errors.ts'
import type { ChildConfig } from './wire.ts'
import type { Platform } from './platform.ts'

/** The user `nobody` of Linux and most Unix systems. */
const NOBODY = 65_534
/** CPU time limit of a process, in case its parent can no longer stop it. */
const CPU_SECONDS = 600

/** Paths of the interpreter and its helpers, and the folders that a child may read. */
export interface Installation {
  readonly config: Omit<ChildConfig, 'mode' | 'parent' | 'outputBytes' | 'memoryMb'>
  /** Addresses of the modules that a child imports. */
  readonly pyodideUrl: string
  readonly koffiUrl?: string
  readonly readable: readonly string[]
}

/** @throws TuttiError `ConfigurationError` when Pyodide is not installed */
export function findInstallation(platform: Platform): Installation {
  const require = createRequire(import.meta.url)
  const pyodideFolder = folderOf(require, 'pyodide/package.json')
  if (pyodideFolder === undefined) {
    throw new TuttiError('ConfigurationError', 'The package "pyodide" is not installed; install it to run Python.')
  }
  const fromPyodide = createRequire(join(pyodideFolder, 'package.json'))
  const kernel = findKernel(require, platform)
  const folders = [pyodideFolder, folderOf(fromPyodide, 'ws/package.json'), ...(kernel?.folders ?? [])]
  return {
    pyodideUrl: pathToFileURL(join(pyodideFolder, 'pyodide.mjs')).href,
    ...(kernel === undefined ? {} : { koffiUrl: kernel.koffiUrl }),
    config: {
      pyodideFolder,
      ...(kernel === undefined ? {} : { kernel: kernel.config }),
      ...(platform.isRoot ? { user: NOBODY } : {}),
    },
    readable: folders.filter((folder) => folder !== undefined),
  }
}

function findKernel(
  require: NodeJS.Require,
  { os, arch }: Platform,
): { config: NonNullable<ChildConfig['kernel']>; koffiUrl: string; folders: readonly string[] } | undefined {
  if (os !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return undefined
  const koffi = folderOf(require, 'koffi')
  if (koffi === undefined) return undefined
  const binary = folderOf(createRequire(join(koffi, 'package.json')), `@koromix/koffi-linux-${arch}`)
  if (binary === undefined) return undefined
  const koffiUrl = pathToFileURL(join(koffi, 'index.js')).href
  return { koffiUrl, config: { arch, cpuSeconds: CPU_SECONDS }, folders: [koffi, binary] }
}

/** The folder of a file at the root of a package; undefined if the package is not installed. */
function folderOf(require: NodeJS.Require, file: string): string | undefined {
  try {
    return dirname(require.resolve(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
