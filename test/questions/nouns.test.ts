import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/databases/database.ts'
import { createDemoDatabase } from '../../src/demo/database.ts'
import { buildCatalogue } from '../../src/terms/catalogue.ts'

const SRC = join(import.meta.dirname, '..', '..', 'src', 'question-to-sql')

/** What the tables of the public music shop are called. */
const MUSIC_SHOP =
  'album,artist,customer,employee,genre,invoice,invoice line,media type,playlist,playlist track,track'.split(',')

/** “order” is a word for sorting, too. */
const SORTING = /\b(?:order(?:ed)? by|in order of|in alphabetical order|another order)\b/g

async function demoNouns(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-nouns-'))
  await createDemoDatabase(join(folder, 'demo.sqlite'))
  const demo = openDatabase(join(folder, 'demo.sqlite'))
  const { entities } = buildCatalogue(await demo.schema())
  await demo.close()
  await rm(folder, { recursive: true })
  return entities.flatMap(({ noun, nouns }) => [noun, nouns])
}

const LITERAL =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[=(,:!&|?\s])\/(?![/*\s])(?:[^/\\\n]|\\.)+\/[a-z]*(?=\s*[.,;)\n])/g

/** The texts and patterns of a file, without its comments and imports. */
function literalsOf(file: string): readonly string[] {
  const code = readFileSync(join(SRC, file), 'utf8')
    .replaceAll(/\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$|^(?:import|export) [^;]*? from '.*$/gm, '')
    .replaceAll(/\$\{[^{}]*\}/g, '$')
  return [...code.matchAll(LITERAL)].map(([text]) => text)
}

it('reads questions without a noun of the demo or of the public music shop', async () => {
  // “return the list” is a verb.
  const nouns = [...new Set([...MUSIC_SHOP, ...(await demoNouns())])].filter((noun) => noun !== 'return')
  expect(nouns).toEqual(expect.arrayContaining(['customer', 'media type', 'shipments', 'support ticket']))
  const word = new RegExp(`(?<![A-Za-z_])(?:${nouns.join('|')})s?(?![A-Za-z_]|[.][a-z])`, 'g')
  // The names that SQL reserves are in a file of their own.
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (f) => f !== join('plan', 'dialect.ts') && /(?<!\.test|\.fixture)\.ts$/.test(f),
  )
  const said = files.flatMap((file) =>
    literalsOf(file).flatMap((text) =>
      [...text.replace(SORTING, '').matchAll(word)].map(([noun]) => `${file}: ${noun} in “${text.slice(0, 80)}”`),
    ),
  )
  expect(said).toEqual([])
})
