// Compiles src/ into dist/. Plain JavaScript, since it runs before there is anything that could run TypeScript.
//
//   node scripts/build.mjs                as `npm run build`
//   node scripts/build.mjs --if-possible  as npm's `prepare`: without devDependencies (`npm ci --omit=dev`) it leaves
//                                         dist/ as it is instead of failing
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
const command = join(root, 'dist', 'cli', 'main.js')

if (!existsSync(compiler) && process.argv.includes('--if-possible')) {
  console.error('TypeScript is not installed (devDependencies are left out), so dist/ is not built.')
} else {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  // npm makes it executable when it installs the package, but not when a later build writes it anew.
  chmodSync(command, 0o755)
}
