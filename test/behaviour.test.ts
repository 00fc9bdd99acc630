import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** References to numbered rows and sections. Seeds of random numbers do not count. */
const POINTER =
  /\bSPEC [A-Z]\d+|\bDESIGN (?:section|§)|\b[Tt]he seed\b|\bseed['’]s\b|\(seed(?:: \d|, ")|, seed "|\([PCWRB]\d{1,2}(?:, [PCWRB]\d{1,2})*\)/

it('no comment refers to a numbered row or section instead of giving the reason', () => {
  const astray = ['src', 'test', 'bench', 'scripts', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll(sep, '/')}`)
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && file !== 'test/behaviour.test.ts')
      .flatMap((file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .split('\n')
          .flatMap((line, i) => (POINTER.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
      ),
  )
  expect(astray).toEqual([])
})
