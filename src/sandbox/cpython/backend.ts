import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { TuttiError } from '../../domain/errors.ts'
import type { Backend, BackendLimits, Launched } from '../backend.ts'
import type { Platform } from '../platform.ts'
import { SYS_SECCOMP } from '../seccomp-program.ts'
import { bubblewrapArguments, FILTER_DESCRIPTOR, INFO_DESCRIPTOR, NOBODY } from './bubblewrap.ts'
import { cpythonFilter } from './seccomp-filter.ts'
import { CPYTHON_HARNESS, type HarnessConfig } from './harness.ts'
import { findCPython, findProgram, HOW_TO_INSTALL, type CPython, type FindProgram } from './installation.ts'

/** The system's Python with numpy and pandas, behind bubblewrap, a system call filter and limits of the kernel. */
export function cpythonBackend(platform: Platform, limits: BackendLimits, find: FindProgram = findProgram): Backend {
  return {
    describe() {
      const found = findCPython(platform, find)
      return {
        backend: 'cpython',
        // All layers are required: without one of them the process does not start.
        level: 'strong',
        ownProcess: true,
        emptyEnvironment: true,
        permissionModel: false,
        namespaces: true,
        seccomp: true,
        nonRoot: true,
        packages: ['numpy', 'pandas'],
        ...(typeof found === 'string' ? { unavailable: found } : {}),
      }
    },
    async prepare() {
      const found = findCPython(platform, find)
      if (typeof found === 'string') throw new TuttiError('ConfigurationError', found)
      return { launch: () => launch(found, platform, limits), close: () => undefined }
    },
    startHint: START_HINT,
  }
}

const START_HINT =
  'The kernel must let users make namespaces (in a container that may need other settings), bubblewrap must be 0.7 ' +
  `or newer, and numpy and pandas must be installed for the system's Python. ${HOW_TO_INSTALL}`

function launch(installation: CPython, { isRoot }: Platform, limits: BackendLimits): Launched {
  const { arch } = installation
  const config: HarnessConfig = {
    ...limits,
    filter: cpythonFilter(arch, 'running').toString('base64'),
    seccompCall: SYS_SECCOMP[arch],
  }
  const python = ['-I', '-B', '-X', 'utf8', '-c', CPYTHON_HARNESS, JSON.stringify(config)]
  const child = spawnOrSay(installation.bubblewrap, [...bubblewrapArguments(installation), ...python], {
    env: {},
    cwd: '/',
    // A separate process group, which is killed as a whole with all processes inside.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    // Root of the machine would be root behind the user's namespace, and have no limit on processes.
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  const filter = child.stdio[FILTER_DESCRIPTOR] as Duplex | null | undefined
  // Writing to a process that has died is found out by its end.
  filter?.on('error', () => undefined)
  filter?.end(cpythonFilter(arch, 'starting'))
  return { process: child, killInside: insideKiller(child) }
}

/** `spawn` throws for some reasons, such as a user that the container does not know. */
function spawnOrSay(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(program, args, options)
  } catch (error) {
    const message = `Bubblewrap does not start: ${(error as Error).message}. ${START_HINT}`
    throw new TuttiError('ConfigurationError', message, { cause: error })
  }
}

/**
 * Kills the first process of the namespace, which ends all others in it; bubblewrap waits for it. If bubblewrap itself
 * were killed, its processes would be left to the machine's first process, which in a container may not reap them.
 */
function insideKiller(child: ChildProcess): () => boolean {
  let text = ''
  child.stdio[INFO_DESCRIPTOR]?.on('data', (piece: Buffer) => void (text += piece.toString()))
  return () => {
    const pid = Number(/"child-pid": *(\d+)/.exec(text)?.[1])
    if (!(pid > 1) || parentOf(pid) !== child.pid) return false
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It ended in between, and bubblewrap with it.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    return true
  }
}

/** The number may have been reused by another process. Undefined when there is no such process. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
