// Builds src/ into dist/, unless it was built from the same sources before. Plain JavaScript, since it runs before there is
// anything that could run TypeScript.
//
//   node scripts/build.mjs                as `npm run build`
//   node scripts/build.mjs --if-possible  as npm's `prepare`: without devDependencies (`npm ci --omit=dev`) it leaves
//                                         dist/ as it is instead of failing
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtVersion, install, sourceVersion } from './build-version.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
const isInstalled = existsSync(compiler) && existsSync(join(root, 'node_modules', 'esbuild'))

if (!isInstalled && process.argv.includes('--if-possible')) {
  console.error('TypeScript and esbuild are not installed (devDependencies are left out), so dist/ is not built.')
} else {
  const version = sourceVersion(root)
  if (builtVersion(dist) !== version) await build(version)
}

async function build(version) {
  console.error('Building…')
  const { bundle, removeUnused, writeBundle } = await import('./bundle.mjs')
  const { buildWeb } = await import('./web.mjs')
  mkdirSync(dist, { recursive: true })
  const made = mkdtempSync(join(dist, '.new-'))
  try {
    const project = join(root, 'tsconfig.build.json')
    run([compiler, '-p', project, '--emitDeclarationOnly', '--outDir', made])
    removeUnused(made)
    const { files, packages } = await bundle(made, version)
    const inApp = await buildWeb(join(made, 'web'))
    writeBundle({ files, packages: [...new Set([...packages, ...inApp])].sort() }, made)
    run(['--import', 'tsx', 'scripts/python-snapshot.ts', join(made, version)])
    // npm makes it executable when it installs the package, but not when a later build writes it anew.
    chmodSync(join(made, 'cli', 'main.js'), 0o755)
    install(made, dist, version)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Runs Node.js. @throws Error when it fails */
function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${status}.`)
}
