// Soak test: installs and type-checks the packed library.
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportsOf } from '../scripts/api/declarations.ts'
import { apiReference, ENTRIES } from '../scripts/api/reference.ts'
import { DEVIATING_INVOICES } from '../scripts/demo/freight.ts'
import { createDemoFreight, DEMO_FREIGHT_NAME } from '../src/app/demo-data.ts'
import { STRATEGIES } from '../src/strategies/built-in.ts'
import { builtProduct } from './support/builds.ts'
import { bundleTo } from './support/bundle.ts'

/** Documentation for embedders: the programs of docs/library.md, and the API reference of the package. */

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The last line of output of each program. */
const SAID: Readonly<Record<string, string>> = {
  'hello.ts': 'Snow, -4 °C.',
  'own-agent.ts': 'A medium roast. Asked: roaster',
  'own-strategy.ts': 'Hello! (Say it with more joy.)',
  'approve.ts': 'ordered 3 bags',
  'testing.ts': 'It was 5 mm of rain. model true',
}

let installed: string

/** Copies the programs next to the published package, which they import by name. The folder is deleted with the other builds. */
beforeAll(async () => {
  const product = await builtProduct()
  installed = mkdtempSync(join(product, '..', 'library-'))
  copyFileSync(join(product, 'package.json'), join(installed, 'package.json'))
  symlinkSync(join(product, 'dist'), join(installed, 'dist'))
  cpSync(join(ROOT, 'examples'), join(installed, 'examples'), { recursive: true })
})

/** Runs a program in a folder with an invalid configuration and environment. Returns its output and the files that it leaves. */
async function run(program: string, ...args: string[]): Promise<{ out: string; left: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-library-'))
  writeFileSync(join(folder, 'tutti.config.yaml'), 'nonsense: [')
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: folder,
    TUTTI_DATA: join(folder, 'data'),
    TUTTI_MODEL_URL: 'not an address',
    DATABASE_URL: 'postgres://nobody@nowhere.invalid/x',
  }
  const entry = join(installed, 'examples', program)
  // Bundled, because a TypeScript loader would compile the whole package each time.
  const file = entry.replace(/\.ts$/, '.mjs')
  await bundleTo(entry, file)
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, env })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text))
  await new Promise((done) => child.on('close', done))
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'tutti.config.yaml')
  rmSync(folder, { recursive: true })
  return { out, left }
}

describe('the programs of docs/library.md', () => {
  const programs = readdirSync(join(ROOT, 'examples/library'))

  it('are all of the folder', () => {
    expect(programs.toSorted()).toEqual(Object.keys(SAID).toSorted())
  })

  it.each(programs)('%s is in the page unchanged, and has fewer than 40 lines', (program) => {
    const source = read(`examples/library/${program}`)
    expect(read('docs/library.md')).toContain(`\`\`\`ts\n${source}\`\`\``)
    expect(source.trimEnd().split('\n').length).toBeLessThan(40)
  })

  it.each(programs)('%s runs, reads nothing of the machine and leaves nothing behind', async (program) => {
    const { out, left } = await run(`library/${program}`)
    expect(out.trimEnd()).toMatch(new RegExp(`(?:^|\n)${SAID[program]!.replaceAll(/[.()]/g, '\\$&')}$`))
    expect(left).toEqual([])
  })
})

/** The output of the programs of examples/strategies. */
const OF_STRATEGIES: Readonly<Record<string, string>> = {
  'pipeline.ts': 'Only 3 bags of coffee are left.\n\nA pound of tea is 4 €.\nstock → price\n',
  'graph.ts': 'stock + price\nOnly 3 bags of coffee are left.\n\nA pound of tea is 4 €.\n',
  'supervisor.ts': 'stock → supplier\nOnly 3 bags of coffee are left; more can come on Monday.\n',
  'review.ts':
    'review-planner:1 → critic-planner:1 → stock → critic-researcher:1 → review-expert:1 → critic-expert:1 → finalizer:1\nOnly 3 bags of coffee are left.\n',
  'skills.ts':
    'asked without examples\nasked with an example\nasked with an example\nasked with an example\ncount_sacks\n',
  'mcp.ts':
    'mcp_agent_glossary\npeaberry: A coffee cherry with one round seed in place of two flat ones. Peaberries are sorted out and sold apart.\n',
}

describe('examples/strategies', () => {
  it('has a program for each strategy, one for MCP and one for skills', () => {
    const programs = readdirSync(join(ROOT, 'examples/strategies')).filter((file) => file !== 'agents.ts')
    expect(programs.toSorted()).toEqual(Object.keys(OF_STRATEGIES).toSorted())
    expect(programs).toEqual(
      expect.arrayContaining(Object.keys(STRATEGIES).flatMap((name) => (name === 'direct' ? [] : `${name}.ts`))),
    )
    const told = programs.filter((file) => !read('docs/strategies.md').includes(`examples/strategies/${file}`))
    expect(told).toEqual([])
  })

  it.each(Object.entries(OF_STRATEGIES))('%s runs, and leaves nothing behind', async (program, said) => {
    expect(await run(`strategies/${program}`)).toEqual({ out: said, left: [] })
  })
})

describe('examples/teams', () => {
  it('builds the team, shows it and finds the six invoices', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-freight-'))
    await createDemoFreight(folder)
    const { out, left } = await run('teams/invoices.ts', join(folder, DEMO_FREIGHT_NAME))
    rmSync(folder, { recursive: true })
    expect(out).toMatch(/^{\n[^]*"name": "freight_check"[^]*\nfreight_check\nFI-/)
    expect([...new Set(out.match(/FI-\d+/g))].toSorted()).toEqual(DEVIATING_INVOICES)
    expect(left).toEqual([])
    expect(readdirSync(join(ROOT, 'examples/teams'))).toEqual(['invoices.ts'])
    expect(read('docs/strategies.md')).toContain('examples/teams/invoices.ts')
  })
})

describe('docs/api.md', () => {
  it('is up to date with this version; "npm run api" writes it', () => {
    expect(read('docs/api.md')).toBe(apiReference())
  })

  it('describes each function', () => {
    const functions = ENTRIES.flatMap(([, file]) => exportsOf(file)).filter(({ kind }) => kind === 'function')
    expect(functions.length).toBeGreaterThan(10)
    expect(functions.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([])
  })

  it('covers the exports of the package', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { default?: string }> }
    const doors = ENTRIES.map(([name, file]) => [
      name.replace('tutti', '.'),
      file.replace(fileURLToPath(new URL('../src/', import.meta.url)), './dist/').replace(/\.ts$/, '.js'),
    ])
    const promised = Object.entries(exports).flatMap(([name, { default: file }]) =>
      file === undefined ? [] : [[name, file]],
    )
    expect(doors).toEqual(promised)
  })
})
