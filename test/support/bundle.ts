import { mkdtemp, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { builtProduct } from './builds.ts'

const SOURCES = join(import.meta.dirname, '../../src')

/**
 * Bundles a program below `test/` into one JavaScript file, because starting it from TypeScript takes most of the time
 * of the tests. Returns its path, in a new folder that the caller removes.
 */
export async function bundle(program: string): Promise<string> {
  // There it finds the packages, and is not part of the project.
  const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.tutti-test-'))
  const outfile = join(folder, basename(program).replace('.ts', '.mjs'))
  await bundleTo(join(import.meta.dirname, '..', program), outfile)
  return outfile
}

/** The same, with a given target. */
export async function bundleTo(program: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: [programsOfSources(await realpath(join(await builtProduct(), 'dist')))],
  })
}

/** Programs of threads and processes are addressed relative to the source, which the bundle cannot do: they are those of a build. */
const programsOfSources = (dist: string): Plugin => ({
  name: 'programs of sources',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replace(/new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g, (_whole, program: string) => {
        const built = join(dist, relative(SOURCES, join(dirname(path), `${program}.js`)))
        return `new URL(${JSON.stringify(pathToFileURL(built).href)})`
      })
      return { contents, loader: 'ts' }
    })
  },
})
