import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** Plain JavaScript, which has no types. */
const MODULE = '../scripts/build-version.mjs' as string
const { builtVersion, install, sourceVersion } = (await import(MODULE)) as {
  sourceVersion(root: string): string
  builtVersion(dist: string): string | undefined
  install(made: string, dist: string, version: string): void
}

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(16)) as [string, string, string]

let root: string
let dist: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tutti-version-'))
  dist = join(root, 'dist')
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function write(files: Readonly<Record<string, string>>, folder = root): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

async function build(version: string): Promise<void> {
  const made = join(dist, `.new-${version}`)
  const entry = `export const version = '${version}'\nexport const load = () => import('./${version}/part.js')\n`
  await write({ 'index.js': entry, [`${version}/part.js`]: `export default '${version}'\n` }, made)
  install(made, dist, version)
  await rm(made, { recursive: true })
}

it('the version changes with the sources, and not with their tests', async () => {
  const files = ['docs/a.md', 'scripts/a.mjs', 'package.json', 'package-lock.json', 'vite.config.ts']
  const configs = ['tsconfig.json', 'tsconfig.build.json']
  await write(Object.fromEntries([...files, ...configs].map((name) => [name, '{}'])))
  await write({ 'src/a.ts': '1', 'src/a.test.ts': '1' })
  const version = sourceVersion(root)
  await write({ 'src/a.test.ts': '2', 'src/a.fixture.ts': '2', 'test/b.ts': '2' })
  expect(sourceVersion(root)).toBe(version)
  await write({ 'src/a.ts': '2' })
  expect(sourceVersion(root)).not.toBe(version)
})

it('a program that runs during a build still loads its own parts', async () => {
  expect(builtVersion(dist)).toBeUndefined()
  await build(FIRST)
  const running = (await import(pathToFileURL(join(dist, 'index.js')).href)) as {
    version: string
    load(): Promise<{ default: string }>
  }
  await build(SECOND)
  expect(builtVersion(dist)).toBe(SECOND)
  expect((await running.load()).default).toBe(FIRST)
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `const { version, load } = await import(${JSON.stringify(pathToFileURL(join(dist, 'index.js')).href)})
     console.log(version, (await load()).default)`,
  ])
  expect(stdout.trim()).toBe(`${SECOND} ${SECOND}`)
})

it('npm publishes only the latest version', async () => {
  await write({ 'package.json': '{ "name": "x", "version": "1.0.0", "files": ["dist"] }' })
  await build(FIRST)
  await build(SECOND)
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: root })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path).sort()
  expect(paths).toEqual([`dist/${SECOND}/part.js`, 'dist/index.js', 'package.json'])
})

it('a version that was replaced a day ago is removed', async () => {
  await build(FIRST)
  await build(SECOND)
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
  await utimes(join(dist, FIRST), dayAgo, dayAgo)
  await build(THIRD)
  expect((await readdir(dist)).sort()).toEqual(['.npmignore', '.stamp', SECOND, THIRD, 'index.js'])
})
