import { mkdtemp, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/**
 * Makes one plain JavaScript file of a program below `test/`, since starting it from TypeScript would take most of the time
 * of the tests. Gives its path, in a folder of its own that the caller removes.
 */
export async function bundle(program: string): Promise<string> {
  // There it finds the packages, and nothing takes it for a part of the project.
  const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.tutti-test-'))
  const outfile = join(folder, basename(program).replace('.ts', '.mjs'))
  await bundleTo(join(import.meta.dirname, '..', program), outfile)
  return outfile
}

/** The same, where it is to be. */
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

/** Programs of threads and processes are named by their address beside the source, which the bundle does not have. */
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
