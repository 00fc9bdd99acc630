// Soak test: looks through all sources for patterns.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { growthOf, repeatingPatterns } from './patterns.ts'

const SRC = join(import.meta.dirname, '..', '..', 'src')

/** Patterns of wire formats, with the bound of their input. */
const BOUNDED: Readonly<Record<string, string>> = {
  'databases/cells.ts': 'a number of at most 60 characters',
}

it('detects a pattern that backtracks', () => {
  const [nested, safe] = repeatingPatterns('x.ts', String.raw`const a = /^(?:a+)+$/; const b = /^a+b+$/`)
  expect(growthOf(nested!, 60_000)).toBe('exponential')
  expect(growthOf(safe!, 60_000)).toBeUndefined()
  const [acrossLines, withinLine] = repeatingPatterns('x.ts', String.raw`/^\s*[[{](?!s\d)/gm; /^[ \t]*[[{](?!s\d)/gm`)
  expect(growthOf(acrossLines!, 60_000)).toBe('2nd degree polynomial')
  expect(growthOf(withinLine!, 60_000)).toBeUndefined()
})

// About 20 s of processor time.
it(
  'no pattern in the sources takes exponential or cubic time, none that begins at each line quadratic time',
  { timeout: 600_000 },
  () => {
    const judged = new Map<string, string | undefined>()
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
    const slow = files
      .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.tsx?$/.test(file) && !(file in BOUNDED))
      .flatMap((file) =>
        repeatingPatterns(file, readFileSync(join(SRC, file), 'utf8')).flatMap((pattern) => {
          const key = `/${pattern.source}/${pattern.flags}`
          if (!judged.has(key)) judged.set(key, growthOf(pattern))
          const growth = judged.get(key)
          return growth === undefined ? [] : [`src/${file}:${pattern.line}: ${growth}: ${key}`]
        }),
      )
    expect(slow).toEqual([])
  },
)
