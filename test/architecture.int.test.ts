import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IN_THEIR_OWN_PROCESS } from '../vitest.config.ts'
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
  'documents/store/index.ts': 'certificates and settings of libpq and of Node.js itself',
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

  it('is cheap to import: src/index.ts loads no heavy package before it is used', () => {
    expect(heavyChains('index.ts', importsOfFile)).toEqual([])
  })
})

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
  const wrong: [file: string, specifier: string | undefined, kind: ImportKind, reason: RegExp][] = [
    ['domain/state.ts', 'yaml', 'static', /domain may use only the package zod/],
    ['shared/clock.ts', 'node:fs', 'static', /shared is pure/],
    ['strategies/graph.ts', '../engine/engine.ts', 'static', /strategies may import only domain/],
    ['agents/sql/agent.ts', '../../databases/postgres.ts', 'lazy', /only src\/app builds what is in databases/],
    ['agents/sql/agent.ts', '../mail/agent.ts', 'static', /the agent sql may not import the agent mail/],
    ['engine/engine.ts', undefined, 'lazy', /plain string/],
  ]
  it.each(wrong)('reports src/%s importing %s (%s)', (file, specifier, kind, reason) => {
    expect(judge(file, { specifier, kind, line: 7 })).toMatch(reason)
  })
})
