import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Installation } from './platform.ts'
import type { ChildConfig } from './wire.ts'

/** For JavaScript values of a child; WebAssembly memory has its own limit. */
const HEAP_MB = 256
const PAGES_PER_MB = 16

/** Starts children of the sandbox. */
export interface Launcher {
  launch(mode: ChildConfig['mode'], snapshotDescriptor?: number): ChildProcess
}

export interface LaunchLimits {
  readonly memoryMb: number
  readonly outputBytes: number
}

/** Finds out how a child is started; from sources, this compiles its program. */
export async function createLauncher(installation: Installation, limits: LaunchLimits): Promise<Launcher> {
  const program = await programArguments()
  const readable = [...installation.readable, ...program.readable]
  const flags = [
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    '--no-warnings',
    ...readable.map((folder) => `--allow-fs-read=${join(folder, '*')}`),
    // To call the C library, or to watch over the parent; both happen before the code arrives.
    installation.config.kernel === undefined ? '--allow-worker' : '--allow-addons',
    '--disallow-code-generation-from-strings',
    // Compiling the interpreter's functions as they are first called makes the start faster.
    '--wasm-lazy-compilation',
    `--max-old-space-size=${HEAP_MB}`,
    `--wasm-max-mem-pages=${limits.memoryMb * PAGES_PER_MB}`,
  ]
  return {
    launch(mode, snapshotDescriptor) {
      const config: ChildConfig = { ...installation.config, mode, outputBytes: limits.outputBytes }
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

/**
 * The child's program for Node's command line: the file of the built package, or, from sources (development, tests), its
 * compiled text, since a TypeScript loader cannot work under the permission model.
 */
async function programArguments(): Promise<Program> {
  if (import.meta.url.endsWith('.js')) {
    const file = fileURLToPath(new URL('./sandbox-process.js', import.meta.url))
    return { arguments: [file], readable: [dirname(file)] }
  }
  const { buildSync } = await import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./sandbox-process.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  return { arguments: ['--input-type=module', '--eval', outputFiles[0]!.text], readable: [] }
}
