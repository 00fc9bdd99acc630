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

  it.each(['process.env.X', 'const { TMPDIR } = process . env', 'f(process.cwd())', 'const { env } = process'])(
    'detects that %s reads the process',
    (source) => expect(readsProcess(source)).toBe(true),
  )

  it('does not confuse another env with that of the process', () => {
    expect(readsProcess('const { env } = options; process.emitWarning(env.X)')).toBe(false)
  })

  it('returns the line, and refuses a file that does not parse', () => {
    expect(importsOf('x.ts', "\n\nimport 'a'")[0]).toEqual({ specifier: 'a', kind: 'static', line: 3 })
    expect(() => importsOf('x.ts', 'import from from from')).toThrow(/x\.ts does not parse/)
  })

  const wrong: [file: string, specifier: string | undefined, kind: ImportKind, reason: RegExp][] = [
    ['domain/state.ts', '../engine/engine.ts', 'type', /domain may import only shared/],
    ['domain/state.ts', 'yaml', 'static', /domain may use only the package zod/],
    ['shared/clock.ts', 'node:fs', 'static', /shared is pure/],
    ['shared/clock.ts', '../domain/state.ts', 'type', /shared may import no other part/],
    ['strategies/graph.ts', '../engine/engine.ts', 'static', /strategies may import only domain/],
    ['strategies/graph.ts', 'hono', 'static', /strategies may use only the package zod/],
    ['engine/engine.ts', '../storage/sqlite-store.ts', 'type', /engine may import only domain/],
    ['engine/middleware/retry.ts', '../../agents/sql/agent.ts', 'lazy', /engine may import only domain/],
    ['engine/engine.ts', 'pg', 'lazy', /engine may use only the package zod/],
    ['storage/sqlite-store.ts', '../models/prices.ts', 'static', /storage may import only domain/],
    ['storage/sql/errors.ts', '../sqlite-store.ts', 'static', /storage\/sql may import only domain/],
    ['documents/store/sql-store.ts', '../../storage/sqlite-store.ts', 'static', /documents may import only/],
    ['models/answer.ts', '../engine/engine.ts', 'static', /models may import only domain/],
    ['mcp/server.ts', '../databases/group.ts', 'type', /mcp may import only domain/],
    ['databases/group.ts', '../agents/sql/agent.ts', 'static', /databases may import only domain, shared, mcp/],
    ['agents/sql/agent.ts', '../../storage/schema.ts', 'type', /agents may import only/],
    ['agents/sql/agent.ts', '../../databases/postgres.ts', 'static', /only src\/app builds what is in databases/],
    ['agents/sql/agent.ts', '../../databases/postgres.ts', 'lazy', /only src\/app builds what is in databases/],
    ['agents/sql/agent.ts', '../mail/agent.ts', 'static', /the agent sql may not import the agent mail/],
    ['agents/names.ts', './sql/tools.ts', 'type', /may not import the agent sql/],
    ['agents/sql/agent.ts', '../../cli/main.ts', 'type', /agents may import only/],
    ['demo/copy.ts', '../domain/table.ts', 'type', /demo may import no other part/],
    ['demo/foreign-files.ts', 'pg', 'static', /demo may use only the package libsql, zod/],
    ['server/routes.ts', '../cli/main.ts', 'static', /server may import only/],
    ['server/routes.ts', '../storage/sqlite-store.ts', 'static', /only src\/app builds what is in storage/],
    ['cli/ask.ts', '../models/provider.ts', 'lazy', /only src\/app builds what is in models/],
    ['app/create-app.ts', '../cli/main.ts', 'static', /app may import only/],
    ['app/create-app.ts', './setup.ts', 'static', /app may import only/],
    ['app/config/models.ts', '../models.ts', 'static', /app\/config may import only/],
    ['client/client.ts', '../engine/engine.ts', 'type', /client may import only domain/],
    ['web/main.tsx', '../domain/state.ts', 'type', /web may import only client/],
    ['helpers.ts', './domain/state.ts', 'static', /not in the table/],
    ['utils/text.ts', 'zod', 'static', /not in the table/],
    ['domain/state.ts', '../../package.json', 'static', /outside of src/],
    ['engine/engine.ts', undefined, 'lazy', /plain string/],
  ]
  it.each(wrong)('reports src/%s importing %s (%s)', (file, specifier, kind, reason) => {
    expect(judge(file, { specifier, kind, line: 7 })).toMatch(reason)
    expect(judge(file, { specifier, kind, line: 7 })).toContain(`src/${file}:7 `)
  })

  const right: [file: string, specifier: string | undefined, kind: ImportKind][] = [
    ['domain/state.ts', './events.ts', 'static'],
    ['domain/request.ts', 'zod', 'static'],
    ['engine/engine.ts', 'node:crypto', 'static'],
    ['engine/engine.ts', '../shared/clock.ts', 'static'],
    ['databases/sources.ts', '../mcp/server.ts', 'static'],
    ['documents/store/sql-store.ts', '../../storage/sql/errors.ts', 'static'],
    ['storage/sqlite-store.ts', './sql/errors.ts', 'static'],
    ['agents/sql/agent.ts', '../../databases/schema.ts', 'type'],
    ['agents/sql/agent.ts', '../../mcp/client.ts', 'static'],
    ['agents/sql/linking/words.ts', '../prompts.ts', 'static'],
    ['agents/sql/agent.ts', '../names.ts', 'static'],
    ['app/create-app.ts', '../storage/sqlite-store.ts', 'lazy'],
    ['cli/serve.ts', '../server/server.ts', 'lazy'],
    ['agents/registry/import-default.ts', undefined, 'lazy'],
    ['app/setup.ts', './create-app.ts', 'lazy'],
    ['demo/foreign-files.ts', 'libsql', 'lazy'],
    ['client/client.ts', '../domain/events.ts', 'type'],
  ]
  it.each(right)('allows src/%s importing %s (%s)', (file, specifier, kind) => {
    expect(judge(file, { specifier, kind, line: 1 })).toBeUndefined()
  })

  it('follows static imports to heavy packages, and only those', () => {
    const files: Readonly<Record<string, string>> = {
      'index.ts': "export { run } from './app.ts'\nimport type { Pool } from 'pg'",
      'app.ts': "import './deep/a.ts'\nexport const run = () => import('./deep/lazy.ts')",
      'deep/a.ts': "import { sql } from 'libsql/helpers'\nimport '../app.ts'",
      'deep/lazy.ts': "import 'ai'",
    }
    expect(heavyChains('index.ts', (file) => importsOf(file, files[file]!))).toEqual([
      'index.ts > app.ts > deep/a.ts > libsql/helpers',
    ])
  })

  it('finds cycles of any length, and none among types and lazy imports', () => {
    const files: Readonly<Record<string, string>> = {
      'a.ts': "import './b.ts'\nimport './self.ts'",
      'b.ts': "export * from './deep/c.ts'",
      'deep/c.ts': "import { a } from '../a.ts'\nimport 'node:fs'\nimport '../types.ts'",
      'lazy.ts': "import './types.ts'",
      'self.ts': "import './self.ts'",
      'types.ts': "import type { L } from './lazy.ts'\nexport const load = () => import('./lazy.ts')",
    }
    expect(runtimeCircles(Object.keys(files), (file) => importsOf(file, files[file]!))).toEqual([
      ['a.ts', 'b.ts', 'deep/c.ts'],
      ['self.ts'],
    ])
  })
})
