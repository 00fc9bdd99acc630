import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { onOneLine, quoteLines, tagged } from '../../domain/prompt-text.ts'
import { DOCUMENT_TYPES } from '../types.ts'

const describeInput = z.object({
  name: z.string(),
  type: z.enum(DOCUMENT_TYPES),
  title: z.string().optional(),
  /** The first headings, in order. */
  headings: z.array(z.string()),
  /** The beginning of the text. */
  beginning: z.string(),
})

export type DescribeInput = z.infer<typeof describeInput>

/** Characters of the text that a model is shown. */
export const BEGINNING_CHARACTERS = 6000
const MAX_CHARS = 700
const MAX_TOPICS = 8
const MAX_TOPIC_CHARS = 60

const INSTRUCTIONS = `You describe a document for a list of documents, from its headings and its beginning.
Write two or three plain sentences: what kind of document it is, which topics it covers, and what it is limited to, such as a
period, a place or a product. Name what one would search for. Do not praise it, and do not repeat its file name.
Then name up to ${MAX_TOPICS} topics that it deals with, each of one to three words in its language, the main one first.`

/** Describes a document in two or three sentences. */
export const describeDocument = definePrompt({
  name: 'knowledge.describe',
  about: {
    purpose: 'Describes a document in two or three sentences, and names its topics.',
    when: 'documents were added with a model set up; in the background, so that no answer waits for it',
    failure: 'the description by type, title and headings stays',
  },
  wording: INSTRUCTIONS,
  data: 'the document',
  input: describeInput,
  output: z.object({
    description: z.string().describe('two or three sentences'),
    topics: z.array(z.string()).describe(`up to ${MAX_TOPICS}, of one to three words each`),
  }),
  temperature: 0,
  maxOutputTokens: 400,
  withoutMemory: true,
  render: ({ name, type, title, headings, beginning }) => ({
    user: [
      `File: ${name} (${type})`,
      ...(title === undefined ? [] : [`Title: ${title}`]),
      ...(headings.length === 0 ? [] : [`Headings:\n${headings.map((heading) => `- ${heading}`).join('\n')}`]),
      `Beginning:\n${tagged('document', quoteLines([beginning]))}`,
    ].join('\n\n'),
  }),
})

const MAX_HEADINGS = 6

/** The description without a model: type, title, and headings or the beginning. */
export function describeByRules({ type, title, headings, beginning }: DescribeInput): string {
  const titleText = title === undefined ? '' : ` titled “${cut(title, 150)}”`
  const topics = headings.filter((heading) => heading !== title).slice(0, MAX_HEADINGS)
  const content =
    topics.length > 0
      ? `It covers: ${topics.map((heading) => cut(heading, 80)).join('; ')}.`
      : `It begins: “${cut(beginning.replaceAll(/\s+/g, ' ').trim(), 160)}”`
  return `A document of type ${type}${titleText}. ${content}`
}

/** The topics without a model: its headings. */
export function topicsByRules({ title, headings }: Pick<DescribeInput, 'title' | 'headings'>): readonly string[] {
  return trimTopics(headings.filter((heading) => heading !== title))
}

/** The model's text on one line, cut to the length of a description. */
export function trimDescription(text: string): string {
  return cut(onOneLine(text), MAX_CHARS)
}

/** A model's topics, each once, as many and as long as a document may have. */
export function trimTopics(topics: readonly string[]): readonly string[] {
  const short = topics.map((topic) => cut(onOneLine(topic), MAX_TOPIC_CHARS)).filter((topic) => topic !== '')
  return [...new Set(short)].slice(0, MAX_TOPICS)
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .replace(/\p{Cs}$/u, '')
        .trimEnd()}…`
}
