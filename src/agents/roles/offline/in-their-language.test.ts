import { expect, it } from 'vitest'
import { cleanSentence } from '../../../core/clean-sentence.ts'
import { ERROR_CODES, errorInfo, TuttiError, type ErrorCode } from '../../../core/errors.ts'
import { languageOf } from '../../../language/which-language.ts'
import { failuresOf, type AgentSummary } from './answer-of-agents.ts'
import { inTheirLanguage } from './in-their-language.ts'

const QUESTION = 'Wie viele Kunden haben wir in Deutschland?'

function failed(type: ErrorCode, part?: string): AgentSummary {
  return {
    agent: 'sql',
    label: 'the database',
    status: 'failed',
    answer: '',
    numbers: [],

    error: cleanSentence(errorInfo(new TuttiError(type, 'The query is empty.'))),
    declined: false,
    preview: [],
    isOverridden: false,
    ...(part === undefined ? {} : { part }),
  }
}

it('what failed is said in the language of the question, for each kind of error', async () => {
  const say = await inTheirLanguage(QUESTION)
  const answered: AgentSummary = { ...failed('Internal'), agent: 'rag', status: 'succeeded', answer: '7' }
  for (const type of ERROR_CODES)
    for (const summaries of [[failed(type)], [failed(type), answered], [failed(type, 'die Kunden'), answered]])
      for (const text of failuresOf(summaries)) {
        expect(say(text), text).not.toBe(text)
        expect(say(text)).not.toMatch(/\b(?:the|not|answered|gave)\b/)
        expect(languageOf(say(text))).not.toBe('en')
      }
})

it('what is not known, and what is asked in English, stays as it is', async () => {
  const [german, english] = [await inTheirLanguage(QUESTION), await inTheirLanguage('How many customers are there?')]
  expect(german('Es sind 78.\n\nThis could not be answered: it took too long.')).toBe(
    'Es sind 78.\n\nDas ließ sich nicht beantworten: Es hat zu lange gedauert.',
  )
  expect(english('This could not be answered: it took too long.')).toBe('This could not be answered: it took too long.')
})

it('what a query was taken to mean is said in it, too', async () => {
  const say = await inTheirLanguage('Umsatz 2025')
  expect(say('(Assumed: “open” is taken to be unpaid.)')).toBe('(Angenommen: „open“ ist als unpaid verstanden.)')
})
