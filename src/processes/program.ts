import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A program for `new Worker(…)`: the address of a file, or text. */
export interface ThreadProgram {
  readonly source: URL | string
  readonly isText: boolean
}

/** From sources (development, tests) a program must be made JavaScript first; the compiled package has it as a file. */
export const isCompiled = import.meta.url.endsWith('.js')

/**
 * What runs a program in a process of its own, for the end of Node's flags.
 * @param source address of its `.ts` file, beside that of the caller
 */
export function processProgram(source: URL): string[] {
  if (isCompiled) return [fileURLToPath(compiled(source))]
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, fileURLToPath(source)]
}

/** The same for a thread. A TypeScript loader would take longer there than most programs run. */
export function threadProgram(source: URL): ThreadProgram {
  if (isCompiled) return { source: compiled(source), isText: false }
  const path = fileURLToPath(source)
  const banner = `globalThis.require = require('node:module').createRequire(${JSON.stringify(path)})`
  const esbuild = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [path],
    bundle: true,
    packages: 'external',
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    banner: { js: banner },
  })
  return { source: outputFiles[0]!.text, isText: true }
}

/** Turns on Node's permission model, whose name has changed. */
export function permissionFlag(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
}

function compiled(source: URL): URL {
  return new URL(source.href.replace(/\.ts$/, '.js'))
}
