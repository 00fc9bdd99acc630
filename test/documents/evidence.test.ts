import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../support/length.ts'
import { writeDemoPapers } from '../../src/demo/papers.ts'
import { askAll, type Asked } from './ask-all.ts'
import { BUSINESS, SOFTWARE } from './evidence-questions.ts'
import { HELD_OUT, HELD_OUT_TEXTS } from './held-out.ts'
import { FRENCH, FRENCH_TEXTS, GERMAN, GERMAN_TEXTS } from './other-languages.ts'

/**
 * Questions without a model, over documents that answer them and over such that do not. What is counted is whether a
 * quotation is given as the answer; for those that are answered also whether it holds the words that answer.
 */

const MANUALS = { saxes: 'README.md', chokidar: 'README.md', yauzl: 'README.md', commander: 'Readme.md' }
const ROOT = join(import.meta.dirname, '..', '..')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-evidence-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function writeManuals(): Promise<string> {
  const manuals = join(folder, 'manuals')
  await mkdir(manuals)
  for (const [name, file] of Object.entries(MANUALS)) {
    await copyFile(join(ROOT, 'node_modules', name, file), join(manuals, `${name}.md`))
  }
  await copyFile(join(ROOT, 'LICENSE'), join(manuals, 'licence.txt'))
  return manuals
}

const all = [
  ['business', BUSINESS, () => writeDemoPapers(folder).then(({ documents }) => documents)],
  ['software', SOFTWARE, writeManuals],
] as const

describe.each(sample(all, 2))('without a model, over the documents %s', (name, questions, write) => {
  let outcomes: Asked
  beforeAll(async () => {
    outcomes = await askAll(folder, name, await write(), questions)
  }, 300_000)

  it('at most 5 % of the questions that they do not answer get an answer', () => {
    const answered = outcomes.unknown.filter(({ isAnswered }) => isAnswered).map(({ question }) => question)
    expect(answered.length, answered.join('\n')).toBeLessThanOrEqual(outcomes.unknown.length * 0.05)
  })

  it('at most 15 % of the questions that they answer are declined', () => {
    const declined = outcomes.known.filter(({ isAnswered }) => !isAnswered).map(({ question }) => question)
    expect(declined.length, declined.join('\n')).toBeLessThanOrEqual(outcomes.known.length * 0.15)
  })

  it('at least 80 % of the questions that they answer are answered by the words that do so', () => {
    const wrong = outcomes.known.filter(({ isRight }) => !isRight).map(({ question }) => question)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(outcomes.known.length * 0.2)
  })

  it('what is declined shows the nearest passage, and that it is no answer', () => {
    const declined = outcomes.unknown.filter(({ isAnswered }) => !isAnswered)
    for (const { answer } of declined)
      expect(answer).toMatch(/documents say nothing on this|answers this for certain|nothing on this was found/)
    const near = declined.filter(({ answer }) => /Nearest to it, and not an answer, is .+: “/.test(answer))
    expect(near.length).toBeGreaterThan(declined.length / 2)
  })
})

describe('without a model, over documents that nothing was tuned on', () => {
  let outcomes: Asked
  beforeAll(async () => {
    const texts = join(folder, 'held-out')
    await mkdir(texts)
    for (const [name, text] of Object.entries(HELD_OUT_TEXTS)) await writeFile(join(texts, name), text)
    outcomes = await askAll(folder, 'held-out', texts, HELD_OUT)
  }, 300_000)

  // Weaker than above, since these are the honest figures. When this was written, of 36 questions that they do not answer 8 got a
  // quotation; of 43 that they answer 2 were declined, and 1 was answered by other words.
  it('at most 30 % of the questions that they do not answer get an answer', () => {
    const answered = outcomes.unknown.filter(({ isAnswered }) => isAnswered).map(({ question }) => question)
    expect(answered.length, answered.join('\n')).toBeLessThanOrEqual(outcomes.unknown.length * 0.3)
  })

  it('at least 85 % of the questions that they answer are answered by the words that do so', () => {
    const wrong = outcomes.known.filter(({ isRight }) => !isRight).map(({ question }) => question)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(outcomes.known.length * 0.15)
  })
})

describe('without a model, over German and French documents together', () => {
  let outcomes: Asked
  beforeAll(async () => {
    const texts = join(folder, 'other-languages')
    await mkdir(texts)
    for (const [name, text] of Object.entries({ ...GERMAN_TEXTS, ...FRENCH_TEXTS }))
      await writeFile(join(texts, name), text)
    outcomes = await askAll(folder, 'other-languages', texts, {
      answerable: [...GERMAN.answerable, ...FRENCH.answerable],
      unanswerable: [...GERMAN.unanswerable, ...FRENCH.unanswerable],
    })
  }, 300_000)

  // When this was written, 17 of 20 and 0 of 20. Without stems and stop words of the languages it was 8 and 1.
  it('at least 80 % of the questions that they answer are answered by the words that do so', () => {
    const wrong = outcomes.known.filter(({ isRight }) => !isRight).map(({ question }) => question)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(outcomes.known.length * 0.2)
  })

  it('none of those that they do not answer gets an answer', () => {
    expect(outcomes.unknown.filter(({ isAnswered }) => isAnswered)).toEqual([])
  })
})

it('enough questions are asked each way', () => {
  const count = (of: 'answerable' | 'unanswerable') => BUSINESS[of].length + SOFTWARE[of].length
  expect(count('answerable')).toBeGreaterThanOrEqual(60)
  expect(count('unanswerable')).toBeGreaterThanOrEqual(60)
})
