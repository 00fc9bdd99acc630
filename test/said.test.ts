import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { categoryOf, ERROR_CODES } from '../src/core/errors.ts'
import { german } from '../src/core/said/de/index.ts'
import { sayer } from '../src/core/said/said.ts'
import { thrownIn, writtenIn, type Sentence } from './support/sentences.ts'

const ROOT = fileURLToPath(new URL('../src/', import.meta.url))
const say = sayer(german)

const LEFT_OUT =
  // Said at a terminal, to programs, or to whoever reads the log of the server; made for tests and the demo.
  /^(?:cli|testing|demo|web|client|tracing|setup|sandbox|storage|server\/protocols|server\/server\.ts|agents\/registry|app\/check-options|http\/policy)\b|prompt|preamble|effective-task|openapi|schemas?\.ts/

const SAID_OF_QUESTIONS =
  // Of the words of a question in English, in the answer to it.
  /^(?:agents\/reckoning|agents\/sql\/held|agents\/(?:mail|web|api)\/rules)\b/

function sources(): { readonly file: string; readonly source: string }[] {
  return readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.fixture|\.oracle)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(ROOT, path), source: readFileSync(path, 'utf8') }))
    .filter(({ file }) => !LEFT_OUT.test(file) && !SAID_OF_QUESTIONS.test(file))
}

/** What a query computes is told to models. */
const IS_OF_QUERY = /^(?:Computes|Lists) |^\{\} Then computes /

/** What is wrong with the installation is for whoever runs it. */
const isOfSystem = (code: string): boolean => ERROR_CODES.some((one) => one === code && categoryOf(one) === 'system')

const VALUE = /x\d+x/g

/** The sentence with a value of its own in each place. */
function filled(text: string): string {
  let n = 0
  return text.replaceAll('{}', () => `x${++n}x`)
}

describe('what the product says in English', () => {
  const thrown = sources().flatMap(({ file, source }) => thrownIn(file, source))
  const written = sources()
    .filter(({ file }) =>
      /^(?:databases\/(?:gate|word)|knowledge\/(?:parsing|search)|mail|http|people|server|schedules|engine|question-to-sql|language|terms)\b/.test(
        file,
      ),
    )
    .flatMap(({ file, source }) => writtenIn(file, source, isOfSystem))
    .filter(({ text }) => !IS_OF_QUERY.test(text))

  it('is found by the search', () => {
    expect(thrown.length).toBeGreaterThan(300)
    expect(written.length).toBeGreaterThan(150)
  })

  it.each([
    ['thrown', thrown.filter(({ code = '' }) => !isOfSystem(code))],
    ['written', written],
  ])('has a German sentence with all its values: %s', (_what, all: readonly Sentence[]) => {
    const untold = all.filter(({ text }) => {
      const sentence = filled(text)
      const said = say(sentence)
      return said === undefined || (sentence.match(VALUE) ?? []).some((value) => !said.includes(value))
    })
    expect([...new Set(untold.map(({ file, text }) => `${file}: ${text}`))]).toEqual([])
  })

  it('is still said, where there is a German sentence for it', () => {
    const all = readdirSync(ROOT, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('/core/said'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
      // A text over several lines is one, and quotes are not escaped.
      .replaceAll(/['`] \+\s+['`]/g, '')
      .replaceAll("\\'", "'")
    // Some are put together of parts: words in a row between two values, or three of them, are there. Of a few words that
    // cannot be told.
    const isSaid = (sentence: string): boolean =>
      sentence.split('{}').some((part) => {
        const words = part.trim().split(/\s+/)
        const runs = [words, ...words.map((_word, at) => words.slice(at, at + 3)).filter(({ length }) => length === 3)]
        return (
          (words.length > 1 || words.length === sentence.split(/\s+/).length) &&
          runs.some((run) => all.includes(run.join(' ')))
        )
      })
    const isLong = (sentence: string): boolean => (sentence.match(/[A-Za-z]{2,}/g) ?? []).length > 3
    expect(Object.keys(german).filter((sentence) => isLong(sentence) && !isSaid(sentence))).toEqual([])
  })
})
