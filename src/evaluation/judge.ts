import type { ModelPort } from '../domain/model.ts'
import type { RunResponse } from '../domain/response.ts'
import type { Expectation, Turn } from './cases.ts'
import type { TurnResult } from './results.ts'
import { checksOf, type Check, VERDICTS, readingVerdict, type Verdict } from './scorers.ts'
import { z } from 'zod'
import { definePrompt } from '../domain/prompt.ts'
import { quoteLines } from '../domain/prompt-text.ts'

/** The judging model. `chosen` sets models by actor, as in a request. */
export interface Judge {
  readonly models: ModelPort
  readonly chosen: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** A case gets the worst verdict of its turns. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS[Math.max(0, ...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))]!
}

/** Judges a turn and returns the best verdict of its alternatives. A turn without expectation has no verdict. */
export async function judgeTurn(turn: Turn, response: RunResponse, judge: Judge): Promise<TurnResult> {
  const { answer, agentResults, error, metadata } = response
  const { usage, latencyMs, notes, format } = metadata
  const detail = agentResults.flatMap(({ sources }) => sources.flatMap((source) => source.detail ?? []))
  const withVerdict: TurnResult = {
    question: turn.question,
    answer,
    format,
    checks: [],
    notes: error === undefined ? notes : [...notes, error.message],
    calls: usage.calls,
    costUsd: usage.costUsd,
    latencyMs,
    agents: agentResults.map(({ agent, status }) => `${agent} ${status}`),
    ...(detail.length === 0 ? {} : { detail }),
  }
  if (turn.expect === undefined) return withVerdict
  const readings = await Promise.all(
    turn.expect.map((expectation) => judgeReading(judge, turn.question, expectation, response)),
  )
  const [best] = readings.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict))
  return { ...withVerdict, ...best! }
}

async function judgeReading(
  { models, chosen, signal }: Judge,
  question: string,
  expectation: Expectation,
  response: RunResponse,
): Promise<{ readonly verdict: Verdict; readonly checks: readonly Check[] }> {
  const checks = checksOf(expectation, response)
  if (expectation.refusal === true) {
    const refused = readingVerdict(expectation, response, []) === 'right'
    checks.push({
      scorer: 'refusal',
      expected: 'a refusal',
      passed: refused,
      ...(refused ? {} : { why: 'it was answered' }),
    })
  }
  const { judge: expected } = expectation
  if (expected === undefined || response.metadata.status !== 'finished') {
    return { verdict: readingVerdict(expectation, response, checks), checks }
  }
  const reply = await models.ask(
    judgeAnswer,
    { question, answer: response.answer, expected },
    { actor: 'judge', models: chosen, signal, reserve: () => () => undefined },
  )
  const { correct, reason } = reply.value ?? { correct: false, reason: reply.reason }
  const judged = [...checks, { scorer: 'judge' as const, expected, passed: correct, why: reason }]
  // The judging model failed, so the verdict is unknown.
  return {
    verdict: reply.by === 'fallback' ? 'failed' : readingVerdict(expectation, response, judged),
    checks: judged,
  }
}

const input = z.object({ question: z.string(), answer: z.string(), expected: z.string() })
const output = z.object({
  correct: z.boolean().describe('whether the answer says what is expected, and nothing that contradicts it'),
  reason: z.string().describe('one short sentence'),
})

const INSTRUCTIONS = `You judge whether an answer is right.
- It is right when it says all that is expected, in whatever words, and nothing that contradicts it.
- Figures, dates and names must be the same. What it says besides does not matter.
- An answer that says it cannot answer is not right.`

/** Judges an answer by what a right one says. */
export const judgeAnswer = definePrompt({
  name: 'evaluation.judge',
  about: {
    purpose: 'Judges an answer by what a right one says.',
    when: '`tutti eval` comes to a case that is scored by a model',
    failure: 'the case counts as not judged',
  },
  wording: INSTRUCTIONS,
  data: 'the answer',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 300,
  withoutMemory: true,
  render: ({ question, answer, expected }) => ({
    user: `Expected:\n${quoteLines([expected])}\n\nAnswer:\n${quoteLines([answer])}\n\nQuestion: ${question}`,
  }),
})
