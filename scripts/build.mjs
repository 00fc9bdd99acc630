// Builds src/ into dist/. Plain JavaScript, since it runs before there is anything that could run TypeScript.
//
//   node scripts/build.mjs                as `npm run build`
//   node scripts/build.mjs --if-possible  as npm's `prepare`: without devDependencies (`npm ci --omit=dev`) it leaves
//                                         dist/ as it is instead of failing
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
const isInstalled = existsSync(compiler) && existsSync(join(root, 'node_modules', 'esbuild'))

if (!isInstalled && process.argv.includes('--if-possible')) {
  console.error('TypeScript and esbuild are not installed (devDependencies are left out), so dist/ is not built.')
} else {
  const { bundle, removeUnused, writeBundle } = await import('./bundle.mjs')
  const { buildWeb } = await import('./web.mjs')
  // What is there can be used until all of it is replaced.
  const made = join(root, 'dist.new')
  rmSync(made, { recursive: true, force: true })
  const project = join(root, 'tsconfig.build.json')
  const flags = ['-p', project, '--emitDeclarationOnly', '--outDir', made]
  const { status } = spawnSync(process.execPath, [compiler, ...flags], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  removeUnused(made)
  const { files, packages } = await bundle(made)
  const inApp = await buildWeb(join(made, 'web'))
  writeBundle({ files, packages: [...new Set([...packages, ...inApp])].sort() }, made)
  const snapshot = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/python-snapshot.ts', made, dist], {
    cwd: root,
    stdio: 'inherit',
  })
  if (snapshot.status !== 0) process.exit(snapshot.status ?? 1)
  // npm makes it executable when it installs the package, but not when a later build writes it anew.
  chmodSync(join(made, 'cli', 'main.js'), 0o755)
  rmSync(dist, { recursive: true, force: true })
  renameSync(made, dist)
}
