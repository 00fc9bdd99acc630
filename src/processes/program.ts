import type { BuildOptions } from 'esbuild'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A program for `new Worker(…)`: the URL of a file, or source text. */
export interface ThreadProgram {
  readonly source: URL | string
  readonly isText: boolean
}

/**
 * When running from sources (development, tests), programs must be compiled to JavaScript first; the compiled package
 * contains them as files.
 */
export const isCompiled = import.meta.url.endsWith('.js')

/** A build of the sources, used by test runs: a TypeScript loader takes longer to start than most programs run. */
let build: { readonly sources: URL; readonly dist: string } | undefined

/** Starts child processes from a build from now on. @param sources folder of the sources of the build */
export function useBuild(sources: URL, dist: string): void {
  build = { sources, dist }
}

/** The path in the build that corresponds to a source file. */
export function buildPath(source: URL): string {
  return isCompiled || build === undefined
    ? fileURLToPath(source)
    : join(build.dist, relative(fileURLToPath(build.sources), fileURLToPath(source)))
}

/** The compiled program; undefined when running from sources without a build. */
export function compiledProgram(source: URL): URL | undefined {
  const compiled = new URL(source.href.replace(/\.ts$/, '.js'))
  if (isCompiled || compiled.href === source.href) return compiled
  const built = buildPath(compiled)
  return existsSync(built) ? pathToFileURL(realpathSync(built)) : undefined
}

/**
 * Node.js arguments that run a program in its own process.
 * @param source URL of its `.ts` file, next to that of the caller
 */
export function processProgram(source: URL): string[] {
  const compiled = compiledProgram(source)
  if (compiled !== undefined) return [fileURLToPath(compiled)]
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, fileURLToPath(source)]
}

/** Cache of bundles: bundling takes longer than starting the thread. */
const threadTexts = new Map<string, string>()

/** Same for a thread. Bundled, since a TypeScript loader would take longer than most programs run. */
export function threadProgram(source: URL): ThreadProgram {
  const compiled = compiledProgram(source)
  if (compiled !== undefined) return { source: compiled, isText: false }
  const path = fileURLToPath(source)
  const known = threadTexts.get(path)
  if (known !== undefined) return { source: known, isText: true }
  const banner = `globalThis.require = require('node:module').createRequire(${JSON.stringify(path)})`
  const imports = { packages: 'external', supported: { 'dynamic-import': false } } as const
  const text = bundled({ entryPoints: [path], format: 'cjs', banner: { js: banner }, ...imports })
  threadTexts.set(path, text)
  return { source: text, isText: true }
}

/** A data URL with a whole program, for a thread that may not read files. It may only import modules of Node.js. */
export function selfContained(source: URL): URL {
  const compiled = compiledProgram(source)
  const text =
    compiled === undefined ? bundled({ entryPoints: [fileURLToPath(source)] }) : readFileSync(compiled, 'utf8')
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

/** Bundles a program into one text; an ES module by default. */
export function bundled(options: BuildOptions): string {
  const esbuild = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const node = { platform: 'node', target: 'node20', format: 'esm' } as const
  return esbuild.buildSync({ bundle: true, write: false, ...node, ...options }).outputFiles![0]!.text
}

/** The flag of Node.js's permission model, whose name has changed. */
export function permissionFlag(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
}
