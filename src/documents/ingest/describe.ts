import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { onOneLine, quoteLines, tagged } from '../../domain/prompt-text.ts'
import { countInWords } from '../parsing/document-error.ts'
import { DOCUMENT_TYPES } from '../types.ts'

const describeInput = z.object({
  name: z.string(),
  type: z.enum(DOCUMENT_TYPES),
  title: z.string().optional(),
  /** The first headings, in order. */
  headings: z.array(z.string()),
  pages: z.number().optional(),
  /** Of the whole text. */
  characters: z.number(),
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
    failure: 'the description by kind, title, headings and size stays',
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

const KINDS: Readonly<Record<DescribeInput['type'], string>> = {
  pdf: 'A PDF document',
  docx: 'A Word document',
  xlsx: 'A spreadsheet',
  pptx: 'A presentation',
  odt: 'A text document',
  ods: 'A spreadsheet',
  odp: 'A presentation',
  epub: 'A book',
  eml: 'A mail',
  csv: 'A table',
  txt: 'A text',
  md: 'A Markdown document',
  html: 'A web page',
}

/** What its parts are called, where they are not pages. */
const UNITS: Partial<Record<DescribeInput['type'], string>> = {
  xlsx: 'sheet',
  ods: 'sheet',
  pptx: 'slide',
  odp: 'slide',
}

const MAX_HEADINGS = 6

/** The description without a model: kind, title, headings and size. */
export function describeByRules({ type, title, headings, pages, characters, beginning }: DescribeInput): string {
  const titleText = title === undefined ? '' : ` titled “${cut(title, 150)}”`
  const other = headings.filter((heading) => heading !== title)
  const topics = other.slice(0, MAX_HEADINGS).map((heading) => cut(heading, 80))
  const suffix = other.length > topics.length ? ' and more' : ''
  const content =
    topics.length > 0
      ? `It covers: ${topics.join('; ')}${suffix}.`.replace(/([?!…])\.$/, '$1')
      : `It begins: “${cut(beginning.replaceAll(/\s+/g, ' ').trim(), 160)}”`
  const unit = UNITS[type] ?? 'page'
  const extent = pages === undefined ? '' : `${countInWords(pages)} ${unit}${pages === 1 ? '' : 's'}, `
  return `${KINDS[type]}${titleText}. ${content} ${capital(`${extent}about ${countInWords(characters)} characters.`)}`
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

function capital(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`
}
