import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
/** The variable that passes the folder to all threads of a test run. */
const VARIABLE = 'TUTTI_TEST_BUILDS'
/** Plain JavaScript, which has no types. */
const [BUNDLE, WEB] = ['../../scripts/bundle.mjs' as string, '../../scripts/web.mjs' as string]

/** The result of `npm run build`. */
const BUILT = join(ROOT, 'dist')

interface Bundler {
  bundle(target: string): Promise<unknown>
  writeBundle(bundled: unknown, target: string): void
  sourceVersion(): string
}

/** Whether `npm run build` has built the current sources. */
async function isBuilt(): Promise<boolean> {
  const { sourceVersion } = (await import(BUNDLE)) as Bundler
  return (await readFile(join(BUILT, '.stamp'), 'utf8').catch(() => '')) === sourceVersion()
}

/** A folder for builds that all tests of a run share. It is inside node_modules, so that compiled files find the packages. */
export function makeBuildsFolder(): { remove(): void } {
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.tutti-builds-'))
  process.env[VARIABLE] = folder
  return { remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Builds the published command line from the current sources. @returns its folder, with `dist/` and `bin/tutti` */
export function builtProduct(): Promise<string> {
  return once('product', async (folder) => {
    const dist = join(folder, 'dist')
    if (await isBuilt()) {
      const omitted = /\.d\.ts$|^web$/
      await cp(BUILT, dist, { recursive: true, filter: (path) => !omitted.test(relative(BUILT, path)) })
    } else {
      const { bundle, writeBundle } = (await import(BUNDLE)) as Bundler
      writeBundle(await bundle(dist), dist)
    }
    const snapshot = ['--import', 'tsx', 'scripts/python-snapshot.ts', dist]
    await promisify(execFile)(process.execPath, snapshot, { cwd: ROOT })
    await cp(join(ROOT, 'assets'), join(folder, 'assets'), { recursive: true })
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'))
    // Like an installation: `tutti` is on the PATH.
    await mkdir(join(folder, 'bin'))
    await symlink(join('..', 'dist', 'cli', 'main.js'), join(folder, 'bin', 'tutti'))
    await chmod(join(dist, 'cli', 'main.js'), 0o755)
  })
}

/** Builds the web app. @returns its folder */
export function builtWeb(): Promise<string> {
  return once('web', async (folder) => {
    if (await isBuilt()) return cp(join(BUILT, 'web'), folder, { recursive: true })
    const { buildWeb } = (await import(WEB)) as { buildWeb(target: string): Promise<unknown> }
    await buildWeb(folder)
  })
}

/** Builds the command line with the web app, like an installation. @returns its folder, like that of `builtProduct` */
export function builtWhole(): Promise<string> {
  return once('whole', async (folder) => {
    const [product, app] = [await builtProduct(), await builtWeb()]
    await cp(product, folder, { recursive: true, verbatimSymlinks: true })
    await cp(app, join(folder, 'dist', 'web'), { recursive: true })
  })
}

/** Returns a folder. The first caller fills it; others wait. */
export async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (process.env[VARIABLE] === undefined) {
    // A program of its own that uses what tests use.
    const { remove } = makeBuildsFolder()
    process.on('exit', remove)
  }
  const folder = join(process.env[VARIABLE]!, name)
  const done = `${folder}.done`
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const failure = await make(folder).then(
      () => '',
      (thrown: unknown) => String(thrown),
    )
    await writeFile(`${done}.new`, failure)
    await rename(`${done}.new`, done)
  }
  while (!existsSync(done)) await sleep(100)
  const failure = await readFile(done, 'utf8')
  if (failure !== '') throw new Error(`The ${name} cannot be built: ${failure}`)
  return folder
}
