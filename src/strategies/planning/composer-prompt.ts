import { z } from 'zod'
import { truncateTogether } from '../../shared/json.ts'
import { definePrompt } from '../../domain/prompt.ts'
import { MAX_FINDINGS_CHARS, tagged, type Tag } from '../../domain/prompt-text.ts'
import { aboutRun } from './run-sections.ts'

const NOT_ANSWERED = 'not_answered'

const input = z.object({
  about: aboutRun,
  /** Why these agents worked on it. */
  rationale: z.string().optional(),
  /** Each agent's result: answer, rows as CSV and the ids of its sources, or the error. */
  results: z.array(z.object({ agent: z.string(), status: z.string(), task: z.string(), text: z.string() })),
  /** Tasks that the user changed while approving a call. */
  overridden: z.array(z.string()).optional(),
  /** The limit that ended the work early. */
  limit: z.string().optional(),
  /** How figures and dates are written. */
  localeRule: z.string(),
  systemPrompt: z.string().optional(),
})

export type ComposeInput = z.infer<typeof input>

const RULES = `You write the final answer to a user's question from the results of specialist agents.
- Answer directly and concisely, in the language of the question. Leave out how the answer was found, queries and SQL.
- Rest figures, dates and names on the results, and say which periods and filters they hold for.
- Leave out metrics that are missing or zero, unless they were asked for. Where results are empty, say that no data was returned.
- Put the id of its source, such as [s1], behind each statement that rests on a result. Ids in the results stay with their statements.
- <calls_made> is the record of what was changed: go by it, whatever results say.
- Name in a sentence each part that failed, is <not_possible>, was refused or was not answered, and why.
- Where no agent succeeded, answer from the conversation and general knowledge. What needs the user's own data stays unanswered: say what is missing, and give no figures for it.
- The user sees the rows of the cited result as a table beside your answer: say what matters in them.
- Professional tone, Markdown where it helps, no emojis, no hashtags.
- {{localeRule}}
${notAnsweredRule('question')} Parts under <not_possible> stay open by themselves. Where a result says "Not answered", always write it: with the parts that stay open, as they stand there, or empty if the answer covers them all.`

/** Composes the final answer, streamed. */
export const composeAnswer = definePrompt({
  name: 'composer.compose',
  about: {
    purpose:
      'Writes the final answer from the results of the agents, or from the conversation where no agent was needed.',
    when: 'the work of pipeline, graph or supervisor is over, unless one agent has answered all of it',
    failure: 'the answers of the agents stand one below the other',
  },
  wording: RULES,
  data: 'the sections between tags, but for question,',
  format: 'text',
  input,
  output: z.string().trim().min(1),
  verbatim: ['rationale', 'results', 'about'],
  temperature: 0.2,
  maxOutputTokens: 4_000,
  render: (given) => ({ user: sectionsOf(given).join('\n\n') }),
})

function sectionsOf(given: ComposeInput): string[] {
  const { about, rationale, results, overridden = [], limit } = given
  const texts = truncateTogether(
    results.map(({ text }) => text),
    MAX_FINDINGS_CHARS,
  )
  return [
    ...(rationale === undefined ? [] : [tagged('plan', rationale)]),
    ...results.map(({ agent, status, task }, i) =>
      tagged('result', `Agent: ${agent} | status: ${status}. Answer: ${texts[i]}`, { task }),
    ),
    ...(results.length > 0 ? [] : ['No agent worked on it.']),
    ...(overridden.length === 0
      ? []
      : [
          `The user changed these tasks during approval: ${overridden.join('; ')}. Present what they returned, even if it differs from the question.`,
        ]),
    ...(limit === undefined ? [] : [`The work ended early: ${limit} Say so.`]),
    ...about,
  ]
}

interface TaggedText {
  /** The text outside the tags; for a partial text, without a possible beginning of a tag. */
  readonly text: string
  /** The text between the tags, which may be empty; absent without tags. */
  readonly tagged?: string
}

/** Splits a model's text into the parts outside and inside tags. An unclosed tag ends with the text. */
export function splitTag(written: string, tag: Tag): TaggedText {
  const open = `<${tag}>`
  const [before = '', ...others] = written.split(open)
  const parts = others.map((part) => part.split(`</${tag}>`))
  const text = [before, ...parts.flatMap(([, ...after]) => after)].join('')
  const tail = text.lastIndexOf('<')
  const outside = (tail >= 0 && open.startsWith(text.slice(tail)) ? text.slice(0, tail) : text).trim()
  if (parts.length === 0) return { text: outside }
  return { text: outside, tagged: parts.map(([content = '']) => content.trim()).join('\n') }
}

/** A rule for prompts that write an answer. */
export function notAnsweredRule(asked: 'question' | 'task'): string {
  return `Where a part of the ${asked} stays unanswered, name it after the answer between <${NOT_ANSWERED}> and </${NOT_ANSWERED}>, a line each.`
}

/** Splits an answer from its list of open parts, one per line; the list is absent if the answer has none. */
export function splitOpenParts(written: string): TaggedText & { readonly unanswered?: readonly string[] } {
  const split = splitTag(written, NOT_ANSWERED)
  if (split.tagged === undefined) return split
  return { ...split, unanswered: split.tagged.split('\n').flatMap((part) => part.trim().replace(/^- /, '') || []) }
}

/** The problem of a tagged reply that has no text outside its tags; undefined if it has some. */
export function emptyAnswer(text: string): string | undefined {
  return text === '' ? 'there is no answer outside the tags' : undefined
}
