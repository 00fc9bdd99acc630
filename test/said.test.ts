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
  // Said at a terminal, to programs, or to whoever reads the log of the server; made for tests and the demo; the catalogue itself.
  /^(?:cli|testing|demo|web|client|tracing|setup|storage|core\/said|server\/protocols|server\/server\.ts|app\/(?:check-options|cassette)|evaluation\/cassette)\b|prompt|preamble|effective-task|openapi|schemas?\.ts/

/** The text of an answer, or of a mail, which is in the language of the question: rules read English alone. */
const ANSWERS = [
  /^agents\/(?:plain-answer|api\/(?:outcomes|offline\/(?:plain-)?answer)|sql\/offline\/answer|roles\/offline\/scaled|mail\/offline\/compose-by-rules)\.ts: /,
  /^agents\/reckoning\/\w+-rules\.ts: (?:From |They are |There is no difference|\{\} is the |The (?:ratio|difference|simple interest|compound interest|\{\} of) )/,
  /^(?:question-to-sql\/parse\/rules-flag|agents\/roles\/planning\/share-question)\.ts: /,
  // Says the same in six languages.
  /^agents\/roles\/offline\/only-english\.ts: /,
]

/** What a model is told: what it is to do, and what is wrong with what it gave. */
const FOR_MODELS = [
  /^(?:core\/locale|models\/(?:wording|probe|reply)|mcp\/resources|knowledge\/ingest\/ingestor|agents\/(?:sql\/(?:instructions|query|query-errors|databases|describe-table|find-values|toolkit)|worker\/checks))\.ts: /,
  /^agents\/api\/(?:answer|calls|tools)\.ts: /,
  /^agents\/mail\/agent\.ts: (?:The mailbox of|Answer a mail|Mails are written by others)/,
  /^agents\/web\/agent\.ts: (?!.*A question that names a web address)/,
  /^agents\/web\/tools\.ts: (?:Nothing was found|"\{\}" is no web address)/,
  /^agents\/(?:chart\/chart|computation\/calculate)\.ts: /,
  /^agents\/python\/(?:given-data|outcome)\.ts: (?!The code failed: )/,
  /^agents\/mcp\/agent\.ts: You are /,
  /^agents\/rag\/(?:agent|shelf|toolkit|tools)\.ts: (?!No documents|Name them)/,
  /^agents\/roles\/(?:supervisor\/routing|usable-agents)\.ts: /,
  /^agents\/roles\/(?:review\/(?:planner|actors|toolkit)|offline\/review-\w+)\.ts: /,
  /^tool-loop\//,
  /^agents\/assistant\/delegation\.ts: (?:Not executed|No task was run)/,
  /^engine\/calls\/turns\.ts: The job ended before this call had a result/,
]

function sources(): { readonly file: string; readonly source: string }[] {
  return readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.fixture|\.oracle)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(ROOT, path), source: readFileSync(path, 'utf8') }))
    .filter(({ file }) => !LEFT_OUT.test(file))
}

/** What a query computes is told to models. */
const IS_OF_QUERY = /^(?:Computes|Lists) |^\{\} Then computes /

/** What is wrong with the installation is for whoever runs it. */
const isOfSystem = (code: string): boolean => ERROR_CODES.some((one) => one === code && categoryOf(one) === 'system')

const place = ({ file, text }: Sentence): string => `${file}: ${text}`

/** Words that German has not, without what is quoted: what is typed stays English. */
const ENGLISH = /^(?!.*[„`"]).*(?<![-/])\b(?:the|is|are|not|of|and|which)\b(?!-)/

const VALUE = /x\d+x/g

/** The sentence with a value of its own in each place. */
function filled(text: string): string {
  let n = 0
  return text.replaceAll('{}', () => `x${++n}x`)
}

/** Those that have no German sentence, or one that lacks a value or is English in part. */
function untoldOf(all: readonly Sentence[]): Sentence[] {
  return all.filter(({ text }) => {
    const sentence = filled(text)
    const said = say(sentence)
    return said === undefined || ENGLISH.test(said) || (sentence.match(VALUE) ?? []).some((one) => !said.includes(one))
  })
}

describe('what the product says in English', () => {
  const thrown = sources().flatMap(({ file, source }) => thrownIn(file, source))
  const written = sources()
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
    const isLeftOut = (one: string): boolean => [...ANSWERS, ...FOR_MODELS].some((some) => some.test(one))
    expect([...new Set(untoldOf(all).map(place))].filter((one) => !isLeftOut(one))).toEqual([])
  })

  it('is missed wherever it is written without a German one', () => {
    const added = `export function more(ctx: never) { return ctx.decline('Nobody foresaw this rain.') }; f('The rain lasts until \${day}.')`
    const missed = sources().map(({ file, source }) => {
      const all = [...thrownIn(file, source + added), ...writtenIn(file, source + added, isOfSystem)]
      return untoldOf(all).filter(({ text }) => text.includes('rain')).length
    })
    expect([...new Set(missed)]).toEqual([3])
  })

  it.each([...ANSWERS, ...FOR_MODELS])('is left out for what is there: %s', (pattern) => {
    expect(written.some((one) => pattern.test(place(one)))).toBe(true)
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
