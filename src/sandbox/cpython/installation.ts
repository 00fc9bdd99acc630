import { accessSync, constants, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { FilterArch } from '../seccomp-program.ts'
import type { Platform } from '../platform.ts'

/** Folders of the system's programs. Only trusted folders, no search path. */
const FOLDERS = ['/usr/bin', '/bin']
const LIBRARIES: Readonly<Record<FilterArch, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

/** Programs and paths that the backend needs. */
export interface CPython {
  readonly bubblewrap: string
  /** The real file, such as `/usr/bin/python3.11`. */
  readonly python: string
  readonly arch: FilterArch
}

export const HOW_TO_INSTALL =
  'On Debian and Ubuntu: apt-get install bubblewrap python3-numpy python3-pandas. Or set sandbox.backend to pyodide.'

/** Finds a file that can be run, by its name. */
export type FindProgram = (name: string) => string | undefined

/** The programs of this machine. */
export const findProgram: FindProgram = (name) => {
  const found = FOLDERS.map((folder) => `${folder}/${name}`).find(isProgram)
  return found === undefined ? undefined : realpathSync(found)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Finds the required programs, or returns a sentence that names the missing ones. */
export function findCPython({ os, arch }: Platform, find: FindProgram): CPython | string {
  if (os !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    return 'The sandbox backend "cpython" needs Linux on x64 or arm64. Set sandbox.backend to pyodide.'
  }
  const bubblewrap = find('bwrap')
  const python = find('python3')
  const missing = [...(bubblewrap === undefined ? ['bubblewrap'] : []), ...(python === undefined ? ['python3'] : [])]
  if (bubblewrap !== undefined && python !== undefined) return { bubblewrap, python, arch }
  return `The sandbox backend "cpython" needs ${missing.join(' and ')}. ${HOW_TO_INSTALL}`
}

/** The only folders and files of the machine that Python may read. Missing ones are skipped. */
export function readablePaths({ python, arch }: CPython): readonly string[] {
  const version = basename(python)
  return [
    python,
    `/usr/lib/${LIBRARIES[arch]}`,
    '/usr/lib64',
    '/usr/lib/ld-linux-aarch64.so.1',
    '/usr/lib/python3',
    `/usr/lib/${version}`,
    `/usr/local/lib/${version}`,
    '/usr/share/zoneinfo',
    // Debian's choice between libraries for linear algebra, and where libraries are.
    '/etc/alternatives',
    '/etc/ld.so.cache',
  ]
}
