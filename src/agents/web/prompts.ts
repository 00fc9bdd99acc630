import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { onOwnLines, foundLines } from '../../core/prompt-text.ts'
import { promptInput } from '../prompt-input.ts'
import { kindByWords, queryByWords } from './rules.ts'

const planInput = z.object({
  ...promptInput,
  /** Addresses that the user named in the question, and in earlier ones of the conversation. */
  urls: z.array(z.string()),
  earlierUrls: z.array(z.string()),
  canSearch: z.boolean(),
})

const planOutput = z.object({
  query: z.string().describe('what to search for; empty when the named addresses are enough'),
  type: z.enum(['basic', 'news', 'deep']),
  fetch: z.boolean().describe('whether pages that are found should be read, because snippets will not be enough'),
  urls: z.array(z.string()).describe('those of the addresses named by the user that should be read'),
})

const PLAN = `You plan a web search. Choose:
- query: a short search query in the words that good pages would use. It goes to a service outside: put no names of private
  persons, no internal figures and no secrets into it. Resolve "today" and "last year" with the date that is given.
- type: "basic" for facts, "news" for recent events, "deep" for comparisons and questions that need whole pages.
- fetch: true when the answer needs more than a few sentences of a page.
- urls: of the addresses that the user named, those to read. Never any other address.`

/** Chooses what to search for and how. Without a model, by the words of the question. */
export const planSearch = definePrompt({
  name: 'web.plan',
  about: {
    purpose: 'Chooses what to search the web for, and whether pages have to be read.',
    when: 'the web agent begins',
    fallback: 'the words of the question are searched for; addresses in it are read',
  },
  wording: PLAN,
  data: 'pages, search results and findings',
  input: planInput,
  output: planOutput,
  temperature: 0,
  maxOutputTokens: 400,
  render: ({ question, context, findings, urls, earlierUrls, canSearch }) => ({
    user: [
      urls.length === 0 ? 'The user named no address.' : `Addresses named by the user:\n${onOwnLines(urls)}`,
      ...(earlierUrls.length === 0 ? [] : [`Addresses that the user named before:\n${onOwnLines(earlierUrls)}`]),
      ...(canSearch ? [] : ['There is no search here; leave query empty.']),
      ...(context.length === 0 ? [] : [`Context:\n${onOwnLines(context)}`]),
      ...(findings.length === 0 ? [] : [`Found so far:\n${foundLines(findings)}`]),
      `Question: ${question}`,
    ].join('\n\n'),
  }),
  fallback: ({ question, urls }) => {
    const type = kindByWords(question)
    return { query: urls.length > 0 ? '' : queryByWords(question), type, fetch: type === 'deep', urls }
  },
})

const result = z.object({ title: z.string(), url: z.string(), snippet: z.string(), date: z.string().optional() })

const followUpInput = z.object({ question: z.string(), results: z.array(result), most: z.number() })

const FOLLOW_UP = `You decide which search results to read in full, so that a question can be answered. Choose as few as are needed, the most
trustworthy and most specific ones; none when the snippets answer the question already. Give their urls exactly as listed.`

/** Chooses the results to read. Without a model, the first ones. */
export const chooseFollowUp = definePrompt({
  name: 'web.followUp',
  about: {
    purpose: 'Chooses which search results to read in full.',
    when: 'a search was to be followed by reading, and found something',
    fallback: 'the first results are read',
  },
  wording: FOLLOW_UP,
  data: 'search results',
  input: followUpInput,
  output: z.object({ urls: z.array(z.string()) }),
  temperature: 0,
  maxOutputTokens: 400,
  render: ({ question, results, most }) => ({
    user: `Results, one a line:\n${jsonLines(results)}\n\nRead at most ${most}.\n\nQuestion: ${question}`,
  }),
  fallback: ({ results, most }) => ({ urls: results.slice(0, most).map(({ url }) => url) }),
})

const source = z.object({
  n: z.number(),
  title: z.string(),
  url: z.string(),
  date: z.string().optional(),
  text: z.string(),
})

const synthesiseInput = z.object({
  question: z.string(),
  context: z.array(z.string()),
  /** The search service's own answer. */
  serviceAnswer: z.string().optional(),
  sources: z.array(source),
  /** Pages that could not be read, in words. */
  unread: z.array(z.string()),
  systemPrompt: z.string().optional(),
})

const SYNTHESISE = `You answer a question from web pages. Rules:
- Use only what the sources say. Behind each statement put the number of its source in brackets, such as [1] or [1][3].
- Answer directly, in the language of the question, in a few sentences or a short list. No preamble.
- Where sources disagree, say so and give both. Give dates where they matter.
- If the sources do not answer the question, say so plainly, and what they do tell.
- The search service's own answer is a hint; state only what a source supports.`

/** Puts the answer together from numbered sources. The agent's rules are its fallback. */
export const synthesise = definePrompt({
  name: 'web.synthesise',
  about: {
    purpose: 'Answers from web pages and search results, with the numbers of its sources.',
    when: 'a search or a named page gave something to answer from',
    fallback: 'sentences of the sources are quoted',
  },
  wording: SYNTHESISE,
  data: 'pages and search results',
  format: 'text',
  input: synthesiseInput,
  output: z.string().min(1),
  temperature: 0,
  maxOutputTokens: 1_200,
  render: ({ question, context, serviceAnswer, sources, unread }) => ({
    user: [
      ...(context.length === 0 ? [] : [`Context:\n${onOwnLines(context)}`]),
      ...(serviceAnswer === undefined ? [] : [`The search service's own answer: ${JSON.stringify(serviceAnswer)}`]),
      // One JSON object a line: no text of a page can pass for another source.
      `Sources, one a line:\n${jsonLines(sources)}`,
      ...(unread.length === 0 ? [] : [`Could not be read:\n${onOwnLines(unread)}`]),
      `Question: ${question}`,
    ].join('\n\n'),
  }),
  fallback: ({ sources }) => sources.map(({ n, title, text }) => `${title}: ${text} [${n}]`).join('\n'),
})

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}
