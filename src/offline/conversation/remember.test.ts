import { describe, expect, it } from 'vitest'
import type { ProfileValues } from '../../domain/memory.ts'
import { extractByPatterns } from './remember.ts'

const STATED: readonly [string, ProfileValues][] = [
  [
    'I am Vinay working on RAG Project at Google',
    { userName: 'Vinay', recentProjects: ['RAG Project'], companyName: 'Google' },
  ],
  ['Keep answers short and casual', { detailLevel: 'short', tone: 'casual' }],
  // names
  ['My name is Anna.', { userName: 'Anna' }],
  ['Call me Sam.', { userName: 'Sam' }],
  ['Please call me Zoë from now on', { userName: 'Zoë' }],
  ['My name is Ann and I work at Acme.', { userName: 'Ann', companyName: 'Acme' }],
  // companies
  ['I work at Google.', { companyName: 'Google' }],
  ['I work for Marks & Spencer in London', { companyName: 'Marks & Spencer' }],
  ['Our company is called Brindlemoor.', { companyName: 'Brindlemoor' }],
  ['I work as a data analyst at Spotify.', { jobTitle: 'data analyst', companyName: 'Spotify' }],
  ['I work at the University of Oxford.', { companyName: 'University of Oxford' }],
  ['I work at Google, Anna works at Apple.', { companyName: 'Google' }],
  // job titles
  ['I work as an accountant.', { jobTitle: 'accountant' }],
  // projects
  ["I'm working on Project Beta.", { recentProjects: ['Project Beta'] }],
  // preferences
  ['Answer in German.', { language: 'German' }],
  ['Please always reply in French', { language: 'French' }],
  ['Keep your answers brief.', { detailLevel: 'short' }],
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
  // a statement beside something else, which may be pasted
  'I’m Tom. What did we sell?',
  'I am a senior software engineer, show me the revenue by month.',
  'How many orders came in? Answer in German and keep answers short.',
  'Please answer this mail:\n\nHi, my name is Bob and I work at Initech. Can you send the invoice?',
  'My name is Bob.\nI work at Initech.',
  'Hi, our supplier wrote: my name is Bob. I am a baker.'.repeat(10),
  'Hello, I am Bob, a baker at Initech. We have received your order. The goods leave on Monday.',
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
  })

  it.each(NOT_STATED)('finds nothing in "%s"', (text) => {
    expect(extractByPatterns(text)).toEqual({})
  })
})
