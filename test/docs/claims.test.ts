import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Claims } from './claims/claim.ts'
import { strongWordsOf, textOf } from './strong-words.ts'
import { testsOf } from './tests-of.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Reference pages that are generated from the code. Their claims are next to the declarations. */
const MADE = new Set(['api.md', 'licences.md'])
const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !MADE.has(file),
)
const TABLES = join(import.meta.dirname, 'claims')

async function claimsOf(page: string): Promise<Claims> {
  const file = join(TABLES, `${basename(page, '.md').toLowerCase()}.ts`)
  return existsSync(file) ? ((await import(file)) as { claims: Claims }).claims : {}
}

describe.each(['README.md', ...pages.map((page) => `docs/${page}`)])('what %s claims', async (page) => {
  const text = textOf(read(page))
  const claims = await claimsOf(page)

  const words = Object.keys(claims)

  it('is in the table', () => {
    const told = words.map((some) => ({ start: text.indexOf(some), end: text.indexOf(some) + some.length }))
    const untold = strongWordsOf(text)
      .filter(({ start, end }) => !told.some((some) => some.start <= start && end <= some.end))
      .map(({ start, end }) => text.slice(Math.max(0, start - 60), end + 60))
    expect(untold).toEqual([])
  })

  it('is what the table says, once', () => {
    expect(words.filter((some) => text.split(some).length !== 2 || strongWordsOf(some).length === 0)).toEqual([])
  })

  it('is covered by existing tests', () => {
    const missing = Object.values(claims)
      .flat()
      .filter((place) => {
        const [file, title] = place.split(/ › (.*)/) as [string, string]
        const tests = existsSync(join(ROOT, file)) ? testsOf(file, read(file)) : []
        return !tests.some((test) => test === title || test.endsWith(` › ${title}`))
      })
    expect(missing).toEqual([])
  })
})

it('every table of claims has its page', () => {
  const names = new Set(['README.md', ...pages].map((page) => basename(page).replace('.md', '.ts').toLowerCase()))
  const tables = readdirSync(TABLES).filter((file) => file !== 'claim.ts')
  expect(tables.filter((file) => !names.has(file))).toEqual([])
})

describe('strong words', () => {
  it.each([
    'It never leaves.',
    'The session cannot write.',
    'There is no way that it ever could.',
    'It is written only after a question.',
    'A superuser is refused.',
    'Others are refused.',
  ])('are found in: %s', (sentence) => expect(strongWordsOf(sentence)).toHaveLength(1))

  it.each(['What cannot be undone waits.', 'A file that cannot be read is named.', 'which SQL is refused, and why'])(
    'are not found in a condition: %s',
    (sentence) => expect(strongWordsOf(sentence)).toEqual([]),
  )

  it('are searched outside code', () => expect(textOf('One\n\n```sh\nnever\n```\n`always`  two')).toBe('One `…` two'))

  it('need tests that run and assert something', () => {
    const source = `
      const holds = () => { expect(1).toBe(1) }
      it('one', () => expect(1).toBe(1))
      it.each([1])('two %s', () => { holds() })
      describe('a group', () => { it('three', () => expect(1).toBe(1)) })
      it.skip('four', () => expect(1).toBe(1))
      describe.skip('off', () => { it('five', () => expect(1).toBe(1)) })
      it('six', () => {})
      it('seven', () => { /* expect(1).toBe(1) */ })
      it('eight', () => { // expect(1).toBe(1)
      })
      it.skipIf(true)('nine', () => expect(1).toBe(1))
      describe.runIf(false)('off', () => { it('ten', () => expect(1).toBe(1)) })
      if (false) it('eleven', () => expect(1).toBe(1))
      it('twelve', () => { const unexpected = () => 1; unexpected() })
      it('thirteen', () => { expect.anything() })`
    expect(testsOf('x.test.ts', source)).toEqual(['one', 'two %s', 'a group › three'])
  })
})
