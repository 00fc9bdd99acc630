// Builds src/ into dist/, unless it was built from the same sources before. Plain JavaScript, since it runs before there is
// anything that could run TypeScript.
//
//   node scripts/build.mjs                as `npm run build`
//   node scripts/build.mjs --if-possible  as npm's `prepare`: without devDependencies (`npm ci --omit=dev`) it leaves
//                                         dist/ as it is instead of failing
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
/** The digest of the sources that dist/ was built from. */
const stamp = join(dist, '.stamp')
const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
const isInstalled = existsSync(compiler) && existsSync(join(root, 'node_modules', 'esbuild'))

if (!isInstalled && process.argv.includes('--if-possible')) {
  console.error('TypeScript and esbuild are not installed (devDependencies are left out), so dist/ is not built.')
} else {
  const { sourceVersion } = await import('./bundle.mjs')
  const version = sourceVersion()
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) await build(version)
}

async function build(version) {
  console.error('Building…')
  const { bundle, removeUnused, writeBundle } = await import('./bundle.mjs')
  const { buildWeb } = await import('./web.mjs')
  const made = mkdtempSync(`${dist}.new-`)
  const replaced = `${made}.old`
  try {
    const project = join(root, 'tsconfig.build.json')
    run([compiler, '-p', project, '--emitDeclarationOnly', '--outDir', made])
    removeUnused(made)
    const { files, packages } = await bundle(made)
    const inApp = await buildWeb(join(made, 'web'))
    writeBundle({ files, packages: [...new Set([...packages, ...inApp])].sort() }, made)
    run(['--import', 'tsx', 'scripts/python-snapshot.ts', made])
    // npm makes it executable when it installs the package, but not when a later build writes it anew.
    chmodSync(join(made, 'cli', 'main.js'), 0o755)
    writeFileSync(join(made, '.stamp'), version)
    // A temporary folder is readable for its owner only.
    chmodSync(made, 0o755)
    if (existsSync(dist)) renameSync(dist, replaced)
    renameSync(made, dist)
  } finally {
    for (const folder of [made, replaced]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Node.js. @throws Error when it fails */
function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${status}.`)
}
