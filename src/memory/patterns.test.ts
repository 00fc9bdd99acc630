import { describe, expect, it } from 'vitest'
import type { ProfileValues } from '../core/memory.ts'
import { isOwnStatement, mayTellOfUser, ownWords } from './own-words.ts'
import { extractByPatterns } from './patterns.ts'

const STATED: readonly [string, ProfileValues][] = [
  // examples of SPEC R8
  [
    'I am Vinay working on RAG Project at Google',
    { userName: 'Vinay', recentProjects: ['RAG Project'], companyName: 'Google' },
  ],
  ['Keep answers short and casual', { detailLevel: 'short', tone: 'casual' }],
  // names
  ['My name is Anna.', { userName: 'Anna' }],
  ["my name's vinay, how many orders came in?", { userName: 'Vinay' }],
  ['My name is Jean-Luc Picard and I need the sales.', { userName: 'Jean-Luc Picard' }],
  ['Call me Sam.', { userName: 'Sam' }],
  ['Please call me Zoë from now on', { userName: 'Zoë' }],
  ["I'm Priya, an AI engineer at Acme Corp.", { userName: 'Priya', jobTitle: 'AI engineer', companyName: 'Acme Corp' }],
  ['I’m Tom. What did we sell?', { userName: 'Tom' }],
  ['My name is "Lee".', { userName: 'Lee' }],
  ['Hi, this is Maria from Nordwind GmbH, what is our stock?', { userName: 'Maria', companyName: 'Nordwind GmbH' }],
  ['Hi, Vinay here.', { userName: 'Vinay' }],
  ['Vinay here from Google', { userName: 'Vinay', companyName: 'Google' }],
  ['This is Maria from Nordwind GmbH.', { userName: 'Maria', companyName: 'Nordwind GmbH' }],
  ['Mein Name ist Jörg.', { userName: 'Jörg' }],
  ['Ich heiße Anna und ich arbeite bei Siemens.', { userName: 'Anna', companyName: 'Siemens' }],
  ['My name is Ann and I work at Acme.', { userName: 'Ann', companyName: 'Acme' }],
  // companies
  ['I work at Google.', { companyName: 'Google' }],
  ['I work for Marks & Spencer in London', { companyName: 'Marks & Spencer' }],
  ['We work at Bank of America.', { companyName: 'Bank of America' }],
  ["I'm currently working for Deloitte.", { companyName: 'Deloitte' }],
  ['Our company is called Brindlemoor.', { companyName: 'Brindlemoor' }],
  ['I work as a data analyst at Spotify.', { jobTitle: 'data analyst', companyName: 'Spotify' }],
  ['I work at the University of Oxford.', { companyName: 'University of Oxford' }],
  ['I work at Google, Anna works at Apple.', { companyName: 'Google' }],
  // job titles
  ["I'm a nurse.", { jobTitle: 'nurse' }],
  ['I am a senior software engineer, show me the revenue by month.', { jobTitle: 'senior software engineer' }],
  ['I am the CEO of Acme.', { jobTitle: 'CEO', companyName: 'Acme' }],
  ["I'm head of sales at Brindlemoor.", { jobTitle: 'head of sales', companyName: 'Brindlemoor' }],
  ['My job title is Product Manager.', { jobTitle: 'Product Manager' }],
  ['I work as an accountant.', { jobTitle: 'accountant' }],
  ['I am a data scientist, how many orders came in last month?', { jobTitle: 'data scientist' }],
  // projects
  ["I'm working on Project Beta.", { recentProjects: ['Project Beta'] }],
  ['We are working on the Q3 forecast for the board.', { recentProjects: ['Q3 forecast'] }],
  ['My current project is RAGA.', { recentProjects: ['RAGA'] }],
  ['I have been working on the migration project with Tom.', { recentProjects: ['migration project'] }],
  ['I\'m working on "Project X" at "Acme"', { recentProjects: ['Project X'], companyName: 'Acme' }],
  // preferences
  ['Can you answer in German?', { language: 'German' }],
  ['Could you please keep answers short?', { detailLevel: 'short' }],
  ['Answer in German.', { language: 'German' }],
  ['Please always reply in French', { language: 'French' }],
  ['Antworte bitte auf Deutsch.', { language: 'German' }],
  ['My language is Spanish.', { language: 'Spanish' }],
  ['Keep your answers brief.', { detailLevel: 'short' }],
  ['I prefer detailed answers.', { detailLevel: 'detailed' }],
  ['Be concise.', { detailLevel: 'short' }],
  ['Please be more formal', { tone: 'formal' }],
  ['Use a friendly tone.', { tone: 'friendly' }],
  ['Short answers please', { detailLevel: 'short' }],
  ['How many orders came in? Answer in German and keep answers short.', { language: 'German', detailLevel: 'short' }],
]

const NOT_STATED = [
  // about others
  'Is Anna the CEO of Acme?',
  'My colleague Tom is a baker.',
  'Anna works at Google.',
  'Who works at Google and is called Vinay?',
  'What is the name of my boss?',
  'My boss is the director of sales at Acme.',
  'The customer says I am a liar.',
  'Tom said: I am a baker at Acme.',
  'Call Anna tomorrow.',
  'Call me back tomorrow',
  // questions and suppositions
  'Am I a baker?',
  'Do I work at Google?',
  'If I am a baker, what tax do I pay?',
  'If I am a baker and I work at Acme, what tax do I pay?',
  'Suppose I work at Google, what would I earn?',
  'Pretend I am Batman.',
  'What if my name is Bob?',
  'I am not a doctor.',
  "I don't work at Google.",
  'I used to work at Google.',
  'I am a baker?',
  // quoted, pasted, other people's words
  'Translate "I am Anna working at Google" into German',
  'Translate into German: I am a baker at Acme.',
  'Summarise this: My name is Bob and I work at Initech.',
  '> My name is Bob\nWhat does this mail want?',
  '```\nI am Bob, a baker at Initech.\n```\nWhat is this?',
  'The document reads: I am the CEO of Acme.',
  'Find orders of „Ich heiße Bob und arbeite bei Initech“.',
  'Tell Anna that my name is Bob',
  // not of that kind
  'I work with Anna on the budget.',
  'I work with Excel a lot.',
  'I am working on Monday.',
  'My name is irrelevant.',
  'My name is not Bob.',
  'Revenue here, please',
  'Reply to Anna in French.',
  'Respond to the customer in Spanish.',
  'Show answers in German in the FAQ table.',
  'Use the formal tone in the mail to Bob.',
  'Give me a short answer',
  'Answer in one sentence.',
  'I want detailed sales by month',
  'My language is Python',
  'I am German.',
  'I am looking at Google results.',
  "I'm happy with it.",
  'I am a customer of yours.',
  'I am working on it.',
  'I work at a bank.',
  'How many customers are there in Germany?',
  'Show short orders first.',
  'Write a formal letter to the supplier.',
  'How do customers answer in German?',
  'How should I answer in French?',
  'Draft a short mail to Anna in French.',
  'Which agents do not keep answers short?',
  '',
]

describe('statements of the user, by patterns', () => {
  it.each(STATED)('finds in "%s"', (text, expected) => {
    expect(extractByPatterns(text)).toEqual(expected)
    expect(mayTellOfUser(text)).toBe(true)
  })

  it.each(NOT_STATED)('finds nothing in "%s"', (text) => {
    expect(extractByPatterns(text)).toEqual({})
  })

  it('is quick on long and hostile text', () => {
    const began = performance.now()
    for (const text of [
      'I am '.repeat(5_000),
      'A'.repeat(50_000),
      `My name is ${'Aa '.repeat(9_000)}`,
      '"'.repeat(9_999),
    ]) {
      extractByPatterns(text)
      mayTellOfUser(text)
    }
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('whose words they are', () => {
  it.each([
    ['I work at Google.', 'google', true],
    ['Ich heiße Anna.', 'Anna', true],
    ['Je m’appelle Chloé et je travaille chez Dior.', 'Dior', true],
    ['我叫小明，在谷歌工作', '小明', true],
    ['Is Anna the CEO of Acme?', 'Anna', false],
    ['My colleague Tom is a baker.', 'baker', false],
    ['I and my colleague Tom are bakers.', 'Tom', true],
    ['Translate "I am Anna at Google"', 'Anna', false],
    ['What is our revenue?', 'Acme', false],
    ['I work at Google.', '', false],
  ])('"%s", %s: %s', (question, value, expected) => expect(isOwnStatement(question, value)).toBe(expected))

  it('cuts a long question, so that a pasted book is not read through', () => {
    expect(ownWords(`I am Ann. ${'x '.repeat(50_000)}`).length).toBeLessThanOrEqual(4_000)
  })

  it.each(['How many customers are there?', 'Orders by month', 'revenue 2025'])(
    'has nothing to look for in "%s"',
    (text) => {
      expect(mayTellOfUser(text)).toBe(false)
    },
  )
})
