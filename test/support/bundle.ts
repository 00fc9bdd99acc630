import { mkdtemp, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

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
    plugins: [programsOfSources],
  })
}

/** Programs of threads and processes are addressed relative to the source, which the bundle cannot do. */
const programsOfSources: Plugin = {
  name: 'programs of sources',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text.replace(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (_whole, program: string) => {
        return `new URL(${JSON.stringify(new URL(program, pathToFileURL(path)).href)})`
      })
      return { contents, loader: 'ts' }
    })
  },
}
