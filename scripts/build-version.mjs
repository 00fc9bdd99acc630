import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What dist/ consists of:
 *
 *   index.js, cli/main.js, …  what users import and run, with the declarations and the web app; replaced by each build
 *   <version>/                what these import, at the start or later, and the programs of child processes
 *   .stamp                    the version that was built last
 *   .npmignore                what npm does not publish
 *
 * A process that runs during a build continues with the folder of its version.
 */
const STAMP = '.stamp'
const IGNORED = '.npmignore'
const INPUTS = [
  'src',
  'scripts',
  'docs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts',
]
const NOT_BUILT = /\.(test|fixture)\.tsx?$/
/** Versions, and builds that are under way. */
const KEPT = /^([0-9a-f]{16}|\.new-.+)$/
/** How long a replaced version stays for the processes that still use it. */
const RETENTION_MS = 24 * 60 * 60 * 1000

/** The digest of all files that a build is made from. */
export function sourceVersion(root) {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    const path = join(root, input)
    const names = statSync(path).isDirectory() ? filesUnder(path) : ['']
    for (const name of names) {
      const content = createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex')
      hash.update(`${input}/${name} ${content}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** The version that dist/ was built from; undefined when it was not. */
export function builtVersion(dist) {
  const path = join(dist, STAMP)
  const version = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  return version !== undefined && existsSync(join(dist, version)) ? version : undefined
}

/** Moves a finished build into dist/. @param made a folder inside dist/ */
export function install(made, dist, version) {
  const before = builtVersion(dist)
  // Another build from the same sources may have been faster.
  if (!existsSync(join(dist, version))) renameSync(join(made, version), join(dist, version))
  const names = readdirSync(made).filter((name) => name !== version)
  for (const name of names) {
    if (existsSync(join(dist, name))) renameSync(join(dist, name), join(made, `replaced-${name}`))
    renameSync(join(made, name), join(dist, name))
  }
  if (before !== undefined && before !== version) utimesSync(join(dist, before), new Date(), new Date())
  const old = removeReplaced(dist, new Set([...names, version]))
  writeFileSync(
    join(dist, IGNORED),
    ['.*', ...old.filter((name) => !name.startsWith('.'))].map((name) => `/${name}\n`).join(''),
  )
  writeFileSync(join(dist, STAMP), version)
}

/** Removes what is not part of the build. @returns what stays although it is not */
function removeReplaced(dist, current) {
  const others = readdirSync(dist).filter((name) => !current.has(name) && ![STAMP, IGNORED].includes(name))
  const kept = others.filter(
    (name) => KEPT.test(name) && Date.now() - statSync(join(dist, name)).mtimeMs < RETENTION_MS,
  )
  for (const name of others) if (!kept.includes(name)) rmSync(join(dist, name), { recursive: true })
  return kept
}
