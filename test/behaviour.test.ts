import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

const rows = new Set(
  [...readFileSync(join(ROOT, 'docs', 'behaviour.md'), 'utf8').matchAll(/^\| ([A-Z]\d+) +\|/gm)].map(([, row]) => row!),
)

/** Every line of our own code that matches, with what it names. */
function lines(pattern: RegExp): { readonly place: string; readonly names: readonly string[] }[] {
  return ['src', 'test', 'bench', 'scripts', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll(sep, '/')}`)
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && file !== 'test/behaviour.test.ts')
      .flatMap((file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .split('\n')
          .flatMap((line, i) => {
            const found = [...line.matchAll(pattern)].map(([text]) => text)
            return found.length === 0 ? [] : [{ place: `${file}:${i + 1}`, names: found }]
          }),
      ),
  )
}

it('every row that a comment names is in docs/behaviour.md', () => {
  const named = lines(/\bSPEC [A-Z]\d+(?:(?:,| and|,? or) [A-Z]\d+)*/g)
  expect(named.length).toBeGreaterThan(50)
  const unknown = named.flatMap(({ place, names }) =>
    names.flatMap((text) => text.match(/[A-Z]\d+/g)!.flatMap((row) => (rows.has(row) ? [] : [`${place}: ${row}`]))),
  )
  expect(unknown).toEqual([])
})

it('no comment points at a document that a clone does not have', () => {
  // A seed of random numbers is another thing.
  const astray = lines(/\bDESIGN (?:section|§)|\b[Tt]he seed\b|\bseed['’]s\b|\(seed(?:: \d|, ")|, seed "/g)
  expect(astray.map(({ place }) => place)).toEqual([])
})
