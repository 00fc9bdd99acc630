// Writes into docs/licences.md whose work is installed with Tutti, is part of it, or is used to develop it.
//
//   node scripts/licences.mjs          as `npm run licences`
//   node scripts/licences.mjs --check  writes nothing, and fails when the page is not what it would write
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.mjs'
import { buildWeb } from './web.mjs'

const root = join(import.meta.dirname, '..')
const path = join(root, 'docs', 'licences.md')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const { packages: inProgram } = await bundle(join(root, 'dist'))
const bundled = [...new Set([...inProgram, ...(await buildWeb())])].sort()
const installed = Object.keys(packages).filter((folder) => folder !== '' && packages[folder].dev !== true)
const lists = {
  installed,
  bundled,
  development: Object.keys(devDependencies).map((name) => `node_modules/${name}`),
}

const page = readFileSync(path, 'utf8')
const made = page.replaceAll(
  /(<!-- (\w+): made by `npm run licences` -->\n)[^]*?(<!-- end -->)/g,
  (_, start, list, end) => {
    return `${start}\n${table(lists[list])}\n${end}`
  },
)
if (!process.argv.includes('--check')) writeFileSync(path, made)
else if (made !== page) {
  console.error('docs/licences.md is not current: npm run licences')
  process.exitCode = 1
}

function table(folders) {
  const names = new Map()
  for (const folder of folders) {
    const { license } = packages[folder]
    if (license === undefined) throw new Error(`${folder} states no licence; do without it.`)
    const name = `\`${folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)}\``
    names.set(license, (names.get(license) ?? new Set()).add(name))
  }
  const rows = [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, set]) => `| ${licence} | ${[...set].sort().join(', ')} |`)
  return ['| licence | packages |', '|---|---|', ...rows, ''].join('\n')
}
