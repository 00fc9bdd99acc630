import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundled, compiledProgram, permissionFlag, selfContained } from '../processes/program.ts'
import type { Installation } from './pyodide-installation.ts'
import type { ChildConfig } from './wire.ts'

/** For JavaScript values of a child; a first limit, below that of the whole process. */
const HEAP_MB = 256
/** Memory of a child in addition to the interpreter's, with a reserve for JavaScript when that is full. */
const OVERHEAD_MB = 208
/** The interpreter itself takes 31. */
const MIN_MB = 40
const PAGES_PER_MB = 16

interface Limits {
  /** Of the whole process. */
  readonly memoryMb: number
  /** Of stdout and of stderr. */
  readonly outputBytes: number
}

/** Starts children of the sandbox. */
export interface Launcher {
  launch(mode: ChildConfig['mode'], snapshotDescriptor?: number): ChildProcess
}

/** Finds out how a child is started; from sources, this compiles its program. */
export function createLauncher(installation: Installation, limits: Limits): Launcher {
  const program = childProgram(installation)
  const readable = [...installation.readable, ...program.readable]
  const flags = [
    permissionFlag(),
    '--no-warnings',
    ...readable.map((folder) => `--allow-fs-read=${join(folder, '*')}`),
    // To call the C library, or to watch over the parent; both happen before the code arrives.
    installation.config.kernel === undefined ? '--allow-worker' : '--allow-addons',
    '--expose-gc',
    '--disallow-code-generation-from-strings',
    // Lazy compilation of the interpreter's functions makes the start faster.
    '--wasm-lazy-compilation',
    // A hundred times Node 22's default. With less, the optimising compiler runs at every start, which doubles the
    // time, and makes no job faster, because the interpreter's loop is too large for it.
    '--wasm-tiering-budget=1300000000',
    `--max-old-space-size=${HEAP_MB}`,
    `--wasm-max-mem-pages=${Math.max(limits.memoryMb - OVERHEAD_MB, MIN_MB) * PAGES_PER_MB}`,
  ]
  return {
    launch(mode, snapshotDescriptor) {
      const config: ChildConfig = { ...installation.config, mode, parent: process.pid, ...limits }
      return spawn(process.execPath, [...flags, ...program.arguments, JSON.stringify(config)], {
        // The zone alone: it keeps Node from reading the machine's.
        env: { TZ: 'UTC' },
        cwd: '/',
        // A group of its own, which is killed as a whole.
        detached: true,
        stdio: ['pipe', 'ignore', 'pipe', 'pipe', snapshotDescriptor ?? 'ignore'],
        windowsHide: true,
      })
    },
  }
}

interface Program {
  readonly arguments: readonly string[]
  readonly readable: readonly string[]
}

const EVALUATE = ['--input-type=module', '--eval']

/**
 * The child's program for Node's command line. It names its packages by their real addresses. From sources (development,
 * tests) it is compiled here, since a TypeScript loader cannot work under the permission model.
 */
function childProgram({ pyodideUrl, koffiUrl }: Installation): Program {
  const source = new URL('./sandbox-process.ts', import.meta.url)
  const watchdog = selfContained(new URL('../processes/watchdog-worker.ts', import.meta.url))
  const compiled = compiledProgram(source)
  const text = [
    `import { loadPyodide } from ${JSON.stringify(pyodideUrl)}`,
    koffiUrl === undefined ? 'const koffi = undefined' : `import koffi from ${JSON.stringify(koffiUrl)}`,
    `import { runSandboxProcess } from ${JSON.stringify(compiled?.href ?? fileURLToPath(source))}`,
    `await runSandboxProcess({ loadPyodide, koffi, watchdog: ${JSON.stringify(watchdog.href)} })`,
  ].join('\n')
  const folder = fileURLToPath(new URL('.', compiled ?? source))
  if (compiled !== undefined) return { arguments: [...EVALUATE, text], readable: [folder] }
  const program = bundled({ stdin: { contents: text, resolveDir: folder }, external: ['file:*'] })
  return { arguments: [...EVALUATE, program], readable: [] }
}
