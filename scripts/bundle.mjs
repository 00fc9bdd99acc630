import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')
const { dependencies, peerDependencies, bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

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

/** The digest of all files that a build is made from. */
export function sourceVersion() {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    const path = join(root, input)
    const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).sort() : ['']
    for (const name of names) {
      const file = join(path, name)
      if (/\.(test|fixture)\.tsx?$/.test(name) || statSync(file).isDirectory()) continue
      hash.update(`${input}/${name} `).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/** What users import and run, as `src/` names it. They share their code, and load what they import lazily when it is needed. */
const ENTRIES = [...Object.values(exports).map((target) => target.default), ...Object.values(bin)]
  .filter((path) => path !== undefined)
  .map((path) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(path)[1])
/** Stands for dist/, until it is known how far from it a file lies. */
const DIST = '@dist/'
/** For what packages in CommonJS require of Node. */
const REQUIRE = `import { createRequire as createRequireOfNode } from 'node:module'
const require = createRequireOfNode(import.meta.url)
`

/**
 * Puts the modules of `src/` together into few files, since Node takes about a millisecond for each, with the packages that
 * are not installed beside Tutti: `devDependencies` that `src/` imports, and what these need. Names are kept as they are, so
 * that stack traces can be read.
 * @param target dist/, or the folder that becomes it
 * @returns the files with their text, and the folders of the packages that are in them
 */
export async function bundle(target) {
  // A dependency because users make schemas with it, and its types; the copy in the bundle is one file in the place of a hundred.
  const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== 'zod')
  const shared = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    outbase: source,
    splitting: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
    // esbuild is used from sources alone.
    external: ['esbuild', ...outside.flatMap((name) => [name, `${name}/*`])],
    plugins: [sources],
  }
  // A program of a child has its parts beside it: there are some that may read nothing else.
  const units = [{ names: ENTRIES, folder: 'chunks' }, ...programs().map((name) => ({ names: [name], folder: name }))]
  const built = await Promise.all(
    units.map(({ names, folder }) => {
      const entryPoints = names.map((name) => join(source, `${name}.ts`))
      return build({ ...shared, entryPoints, outdir: target, chunkNames: `${folder}/[name]-[hash]` })
    }),
  )
  const inputs = built.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap((one) => Object.keys(one.inputs)),
  )
  return {
    files: built
      .flatMap(({ outputFiles }) => outputFiles)
      .map(({ path, text }) => ({ path, text: placed(path, text, target) })),
    packages: [...new Set(inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]))]
      .filter(Boolean)
      .sort(),
  }
}

function placed(path, text, target) {
  const way = relative(dirname(path), target).replaceAll('\\', '/')
  const found = text.replaceAll(DIST, way === '' ? './' : `./${way}/`)
  if (!/\b__require\b/.test(found)) return found
  const [, first, rest] = /^(#!.*\n)?([^]*)$/.exec(found)
  return `${first ?? ''}${REQUIRE}${rest}`
}

/** What the packages of a bundle ask to have said with every copy of them. */
export function noticesOf(packages) {
  return packages
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e(\.|$)/i.test(one))
      // Of a package that ships none, the text of its repository.
      const path = file === undefined ? join(root, 'scripts', 'licences', `${name}.txt`) : join(root, folder, file)
      return `${name} ${version} (${license})\n\n${readFileSync(path, 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Programs of children are named by `new URL('./program.ts', import.meta.url)`. */
function programs() {
  const files = readdirSync(source, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => join(source, name))
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new URL\((.{1,200}?),\s*import\.meta\.url/gs)].flatMap(([, first]) =>
      [...first.matchAll(/'(\.\.?\/[^']+)\.[jt]s'/g)].map(([, name]) => relative(source, resolve(dirname(file), name))),
    ),
  )
  return [...new Set(names)]
}

/**
 * Modules keep the addresses that they have in the folders of `src/`, wherever their code comes to lie. What of zod is used
 * can be told from a namespace alone; the rest, three quarters, is left out.
 */
const sources = {
  name: 'sources',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replace(/^import \{ z \} from 'zod'$/m, "import * as z from 'zod'")
      if (!text.includes('import.meta.')) return { loader: 'ts', contents: text }
      const name = relative(source, path).replaceAll('\\', '/').replace(/ts$/, 'js')
      const contents = text
        .replaceAll('import.meta.url', `new URL('${DIST}${name}', import.meta.url).href`)
        .replaceAll('import.meta.dirname', `pathOfAddress(new URL('./', new URL('${DIST}${name}', import.meta.url)))`)
      if (/import\.meta\.(?!url\b)/.test(contents))
        throw new Error(`${path}: of import.meta, only url and dirname can be bundled.`)
      return { loader: 'ts', contents: `import { fileURLToPath as pathOfAddress } from 'node:url'\n${contents}` }
    })
  },
}

/** Writes what `bundle` gave, with the notices of its packages. */
export function writeBundle({ files, packages }, target) {
  for (const { path, text } of [...files, { path: join(target, 'notices.txt'), text: noticesOf(packages) }]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/**
 * Removes the declarations that nothing which users import leads to.
 * @throws Error for one that needs a package that users have not installed
 */
export function removeUnused(target) {
  const wanted = new Set()
  const visit = (file) => {
    if (wanted.has(file)) return
    wanted.add(file)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (path.startsWith('.')) visit(`${resolve(dirname(file), path.replace(/\.ts$/, ''))}.d.ts`)
      else if (!isInstalled(path)) throw new Error(`${file} declares what is in ${path}, which is no dependency.`)
    }
  }
  for (const { types } of Object.values(exports))
    if (types !== undefined) visit(join(target, types.replace(/^\.\/dist\//, '')))
  removeOthers(target, wanted)
}

function isInstalled(specifier) {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]
  return name.startsWith('node:') || name in dependencies || name in peerDependencies
}

function removeOthers(folder, wanted) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeOthers(path, wanted)
    else if (!wanted.has(path)) rmSync(path)
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
