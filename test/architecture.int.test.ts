import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IN_THEIR_OWN_PROCESS } from '../vitest.config.ts'
import { circlesOf } from './architecture/circles.ts'
import { importsOf, type ImportKind } from './architecture/imports.ts'
import { judge, packageName } from './architecture/rules.ts'

const SRC = join(import.meta.dirname, '..', 'src')

/** Packages that cost noticeable time or memory to load. They are imported inside the function that needs them. */
const HEAVY = [
  /^ai$/,
  /^@ai-sdk\//,
  /^pg$/,
  /^pg-boss$/,
  /^mysql2$/,
  /^libpg-query$/,
  /^@guanmingchiu\/sqlparser-ts$/,
  /^@modelcontextprotocol\/sdk$/,
  /^@clack\/prompts$/,
  /^libsql$/,
]

/** The entry points, and the modules that read the environment for them. */
const MAY_READ_PROCESS = /^(?:cli|server|app\/(?:config|connections))\/|^app\/setup\.ts$/

/** The environment of child processes. None of it configures Tutti. */
const READ_FOR_CHILDREN: Readonly<Record<string, string>> = {
  'app/lease-keeper.ts': 'settings of libpq',
  'databases/sqlite.ts': 'SQLite writes its temporary files where the machine wants them (TMPDIR)',
  'documents/store/store-process.ts': 'certificates and settings of libpq and of Node.js itself',
}

function readsProcess(source: string): boolean {
  return /\bprocess\s*\??\.\s*(?:env|cwd)\b|\{[^{}]*\b(?:env|cwd)\b[^{}]*\}\s*=\s*process\b|\bprocess\[['"](?:env|cwd)/.test(
    source,
  )
}

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\.tsx?$/.test(file))
    .sort()
}

function importsOfFile(file: string): ReturnType<typeof importsOf> {
  return importsOf(file, readFileSync(join(SRC, file), 'utf8'))
}

describe('the source tree', () => {
  it('imports only downwards', () => {
    const wrong = sourceFiles().flatMap((file) => importsOfFile(file).flatMap((found) => judge(file, found) ?? []))
    expect(wrong).toEqual([])
  })

  it('reads environment and working directory only in entry points', () => {
    const reading = sourceFiles().filter((file) => {
      return !MAY_READ_PROCESS.test(file) && readsProcess(readFileSync(join(SRC, file), 'utf8'))
    })
    expect(reading.sort()).toEqual(Object.keys(READ_FOR_CHILDREN).sort())
  })

  it('mocks no modules in tests that share their modules', () => {
    const replacing = ['src', 'test']
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
      .filter((file) => file.endsWith('.test.ts') && /\bvi\.(?:doM|m)ock\(/.test(readFileSync(file, 'utf8')))
      .map((file) => file.replaceAll(sep, '/'))
    expect(replacing.filter((file) => !IN_THEIR_OWN_PROCESS.includes(file))).toEqual([])
  })

  it('exports no two functions with one name', () => {
    const files = new Map<string, string[]>()
    // The entry of the package wraps what it exports.
    for (const file of sourceFiles().filter((one) => one !== 'index.ts')) {
      const source = readFileSync(join(SRC, file), 'utf8')
      for (const [, name] of source.matchAll(/^export (?:async )?function\*? (\w+)/gm)) {
        files.set(name!, [...(files.get(name!) ?? []), file])
      }
    }
    expect([...files].filter(([, where]) => where.length > 1)).toEqual([])
  })

  it('has no import cycles at run time', () => {
    expect(runtimeCircles(sourceFiles(), importsOfFile)).toEqual([])
  })

  it('is cheap to import: src/index.ts loads no heavy package before it is used', () => {
    expect(heavyChains('index.ts', importsOfFile)).toEqual([])
  })
})

/**
 * Import cycles among files at load time. Type imports may form cycles, because they are erased. So may imports inside a function,
 * because both files are loaded when it runs.
 */
function runtimeCircles(files: readonly string[], read: (file: string) => ReturnType<typeof importsOf>): string[][] {
  return circlesOf(files, (file) =>
    read(file)
      .filter(({ specifier, kind }) => kind === 'static' && specifier?.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(file), specifier!)),
  )
}

/** Chains of static imports from `entry` to a heavy package, such as `index.ts > app.ts > pg`. */
function heavyChains(entry: string, read: (file: string) => ReturnType<typeof importsOf>): string[] {
  const chains: string[] = []
  const seen = new Set<string>()
  const visit = (file: string, chain: readonly string[]): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { specifier, kind } of read(file)) {
      if (kind !== 'static' || specifier === undefined || specifier.startsWith('node:')) continue
      if (specifier.startsWith('.')) visit(posix.join(posix.dirname(file), specifier), [...chain, file])
      else if (HEAVY.some((pattern) => pattern.test(packageName(specifier))))
        chains.push([...chain, file, specifier].join(' > '))
    }
  }
  visit(entry, [])
  return chains
}

describe('the check itself', () => {
  it('finds every kind of import', () => {
    const source = `
      import a from 'a'
      import type { B } from 'b'
      import { type C } from 'c'
      import 'd'
      export { e } from 'e'
      export type { F } from 'f'
      export * from 'g'
      export * as ns from 'h'
      const i = await import('i'), j = await import(\`j\`), k = await import(name)
      let l: import('l').L
      import m = require('m')
      const n = require('n')
      new Worker(new URL('./o.ts', import.meta.url))
      fork(new URL(compiled ? './p.js' : './p.ts', import.meta.url))
      // import 'not-in-a-comment'
      const text = "import 'not-in-a-string'"
      new URL('/path', 'http://localhost')
    `
    const found = importsOf('sample.ts', source).map(({ specifier, kind }) => [specifier, kind])
    const expected: [string | undefined, ImportKind][] = [
      ['a', 'static'],
      ['b', 'type'],
      ['c', 'static'],
      ['d', 'static'],
      ['e', 'static'],
      ['f', 'type'],
      ['g', 'static'],
      ['h', 'static'],
      ['i', 'lazy'],
      ['j', 'lazy'],
      [undefined, 'lazy'],
      ['l', 'type'],
      ['m', 'static'],
      ['n', 'lazy'],
      ['./o.ts', 'lazy'],
      ['./p.js', 'lazy'],
      ['./p.ts', 'lazy'],
    ]
    expect(found).toEqual(expected)
  })

  const wrong: [file: string, specifier: string | undefined, kind: ImportKind, reason: RegExp][] = [
    ['domain/state.ts', '../engine/engine.ts', 'type', /domain may import only shared/],
    ['domain/state.ts', 'yaml', 'static', /domain may use only the package zod/],
    ['shared/clock.ts', 'node:fs', 'static', /shared is pure/],
    ['strategies/graph.ts', '../engine/engine.ts', 'static', /strategies may import only domain/],
    ['engine/middleware/retry.ts', '../../agents/sql/agent.ts', 'lazy', /engine may import only domain/],
    ['storage/sql/errors.ts', '../sqlite-store.ts', 'static', /storage\/sql may import only domain/],
    ['agents/sql/agent.ts', '../../databases/postgres.ts', 'lazy', /only src\/app builds what is in databases/],
    ['agents/sql/agent.ts', '../mail/agent.ts', 'static', /the agent sql may not import the agent mail/],
    ['demo/copy.ts', '../domain/table.ts', 'type', /demo may import no other part/],
    ['cli/ask.ts', '../models/provider.ts', 'lazy', /only src\/app builds what is in models/],
    ['app/config/models.ts', '../models.ts', 'static', /app\/config may import only/],
    ['web/main.tsx', '../domain/state.ts', 'type', /web may import only client/],
    ['helpers.ts', './domain/state.ts', 'static', /not in the table/],
    ['domain/state.ts', '../../package.json', 'static', /outside of src/],
    ['engine/engine.ts', undefined, 'lazy', /plain string/],
  ]
  it.each(wrong)('reports src/%s importing %s (%s)', (file, specifier, kind, reason) => {
    expect(judge(file, { specifier, kind, line: 7 })).toMatch(reason)
    expect(judge(file, { specifier, kind, line: 7 })).toContain(`src/${file}:7 `)
  })
})
