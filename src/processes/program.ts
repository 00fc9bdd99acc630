import type { BuildOptions } from 'esbuild'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A program for `new Worker(…)`: the address of a file, or text. */
export interface ThreadProgram {
  readonly source: URL | string
  readonly isText: boolean
}

/** From sources (development, tests) a program must be made JavaScript first; the compiled package has it as a file. */
export const isCompiled = import.meta.url.endsWith('.js')

/** A build of the sources, which a test run makes: a TypeScript loader takes longer to start than most programs run. */
let build: { readonly sources: URL; readonly dist: string } | undefined

/**
 * From here on, what runs in processes of its own comes from a build.
 * @param sources the folder of the sources that it was made of
 */
export function useBuild(sources: URL, dist: string): void {
  build = { sources, dist }
}

/** Where a build has what the sources have, or would have, at an address. */
export function inBuild(source: URL): string {
  return isCompiled || build === undefined
    ? fileURLToPath(source)
    : join(build.dist, relative(fileURLToPath(build.sources), fileURLToPath(source)))
}

/**
 * What runs a program in a process of its own, for the end of Node's flags.
 * @param source address of its `.ts` file, beside that of the caller
 */
export function processProgram(source: URL): string[] {
  if (isCompiled) return [fileURLToPath(compiled(source))]
  const built = inBuild(compiled(source))
  if (existsSync(built)) return [built]
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, fileURLToPath(source)]
}

/** Bundling takes longer than starting the thread. */
const threadTexts = new Map<string, string>()

/** The same for a thread. A TypeScript loader would take longer there than most programs run. */
export function threadProgram(source: URL): ThreadProgram {
  if (isCompiled) return { source: compiled(source), isText: false }
  const path = fileURLToPath(source)
  const known = threadTexts.get(path)
  if (known !== undefined) return { source: known, isText: true }
  const banner = `globalThis.require = require('node:module').createRequire(${JSON.stringify(path)})`
  const imports = { packages: 'external', supported: { 'dynamic-import': false } } as const
  const text = bundled({ entryPoints: [path], format: 'cjs', banner: { js: banner }, ...imports })
  threadTexts.set(path, text)
  return { source: text, isText: true }
}

/** An address that holds a whole program, for a thread that may read no file. It imports nothing but of Node. */
export function selfContained(source: URL): URL {
  const text = isCompiled ? readFileSync(compiled(source), 'utf8') : bundled({ entryPoints: [fileURLToPath(source)] })
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

/** A program from sources in one text; an ES module unless told otherwise. */
export function bundled(options: BuildOptions): string {
  const esbuild = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const node = { platform: 'node', target: 'node20', format: 'esm' } as const
  return esbuild.buildSync({ bundle: true, write: false, ...node, ...options }).outputFiles![0]!.text
}

/** Turns on Node's permission model, whose name has changed. */
export function permissionFlag(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
}

function compiled(source: URL): URL {
  return new URL(source.href.replace(/\.ts$/, '.js'))
}
