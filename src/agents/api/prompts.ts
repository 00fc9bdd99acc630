import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { onOwnLines, foundLines } from '../../core/prompt-text.ts'
import { promptInput } from '../prompt-input.ts'
import { callPlanSchema, declined } from './request/call-plan.ts'

const planInput = z.object({
  ...promptInput,
  /** The endpoints that fit best, numbered, one block of text each. */
  candidates: z.array(z.string()),
  documentation: z.array(z.string()),
})

const PLAN = `You plan one HTTP request that answers a question or does what is asked. Rules:
- Choose one of the listed endpoints. Copy its path as listed, placeholders included, and put their values into pathParams.
- Use only parameters that are listed. Take values from the question, the context and the findings; never invent an id.
- Dates and times as the parameter's format says. Relative dates are relative to the current date of the context.
- Do not ask for more than the question needs: use filters and limits. Never set headers for authorization.
- Change something (POST, PUT, PATCH, DELETE) only when the question asks for that change.
- If no endpoint can answer, set makeRequest to false and say what is missing in failureReason.`

/** Plans the call (SPEC P6). Without a model the agent reads the question by rules, since that takes the catalogue. */
export const planCall = definePrompt({
  name: 'api.plan',
  about: {
    purpose: 'Plans one HTTP request from the endpoints that fit the question.',
    when: 'the API agent begins; again after a request that the service refused for what was missing',
    fallback: 'the question is matched to the catalogue by rules',
  },
  wording: PLAN,
  data: 'documentation, context and findings',
  input: planInput,
  output: callPlanSchema,
  temperature: 0,
  maxOutputTokens: 2_000,
  render: ({ question, candidates, documentation, context, findings }) => ({
    user: [
      `Endpoints:\n${onOwnLines(candidates) || 'none fits'}`,
      ...(documentation.length === 0 ? [] : [`Documentation:\n${onOwnLines(documentation)}`]),
      ...(context.length === 0 ? [] : [`Context:\n${onOwnLines(context)}`]),
      ...(findings.length === 0 ? [] : [`Found so far:\n${foundLines(findings)}`]),
      `Question: ${question}`,
    ].join('\n\n'),
  }),
  fallback: () => declined(''),
})

const summaryInput = z.object({
  question: z.string(),
  /** Method and URL. */
  request: z.string(),
  status: z.number(),
  /** The beginning of the answer. */
  excerpt: z.string(),
  /** What the excerpt leaves out. */
  note: z.string(),
  /** What can be said without a model. */
  plain: z.string(),
  systemPrompt: z.string().optional(),
})

const SUMMARISE = `You say what an API's answer means for a question, in a few plain sentences.
- Use only what is in the answer. Never invent or change a figure; do not count records yourself when a count is given.
- Lead with what was asked for. Do not describe the format of the answer.
- If the answer does not hold what was asked for, say so.`

/** Puts the response in words (SPEC P7). */
export const summariseReply = definePrompt({
  name: 'api.summarise',
  about: {
    purpose: 'Says what an answer of an API means for the question.',
    when: 'a request succeeded',
    fallback: 'status, number of records and the first values',
  },
  wording: SUMMARISE,
  data: 'the answer of the API',
  format: 'text',
  input: summaryInput,
  output: z.string().min(1),
  temperature: 0,
  maxOutputTokens: 800,
  render: ({ question, request, status, excerpt, note, plain }) => ({
    user: [
      `Request: ${request}`,
      `Status: ${status}`,
      `In short: ${plain}`,
      note && onOwnLines([note]),
      `Answer:\n${onOwnLines([excerpt])}`,
      `Question: ${question}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  }),
  fallback: ({ plain }) => plain,
})
