import { z } from 'zod'
import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { localeProfile } from '../../core/locale.ts'
import { definePrompt, type Message, type PromptAbout } from '../../core/prompt.ts'
import { jsonLine, onOwnLines, quotedLines, foundLines } from '../../core/prompt-text.ts'
import { contextLines } from '../context-lines.ts'
import { promptInput } from '../prompt-input.ts'
import { describeData, type GivenTable } from './given-data.ts'
import { outcomeText, type FailedRun } from './outcome.ts'
import { librariesOf, type PythonResult, type PythonRunner } from './run.ts'

/** How one agent speaks of writing Python: what it was asked, what it writes, under which rules. */
export interface PythonWriting {
  /** Of the prompts: `code.write`, `code.summarise`. */
  readonly agent: string
  readonly asked: 'Task' | 'Question'
  readonly written: 'program' | 'code'
  readonly rules: string
  /** What the model's `plan` and `code` are to hold. */
  readonly planHint: string
  readonly codeHint: string
  readonly maxOutputTokens: number
  /** How to word what came of it. */
  readonly summaryRules: string
  readonly aboutWriting: PromptAbout
  readonly aboutSummary: PromptAbout
}

const writeInput = z.object({
  ...promptInput,
  /** What code may import, in words. */
  libraries: z.string(),
  /** What the variable `data` holds, in words. */
  data: z.string(),
  earlierAttempts: z.array(z.object({ code: z.string(), error: z.string() })),
})

const summariseInput = z.object({
  question: z.string(),
  code: z.string(),
  /** Value, output and tables, as text. */
  outcome: z.string(),
  localeRule: z.string(),
})

/** Plans and writes Python; on a repair the failed code stands in the conversation with its traceback. */
export function writePrompt(writing: PythonWriting) {
  const { agent, rules, planHint, codeHint, maxOutputTokens, aboutWriting } = writing
  return definePrompt({
    name: `${agent}.write`,
    about: aboutWriting,
    wording: rules,
    data: 'data and findings',
    verbatim: ['earlierAttempts'],
    input: writeInput,
    output: z.object({ plan: z.string().describe(planHint), code: z.string().describe(codeHint) }),
    temperature: 0,
    maxOutputTokens,
    render: (given) => ({ stable: `What can be imported: ${given.libraries}`, user: conversation(given, writing) }),
    // No rules can write a program; the agents know what to do without one.
    fallback: () => ({ plan: '', code: '' }),
  })
}

/** Words the outcome. Without a model the plain output is given. */
export function summaryPrompt({ agent, asked, written, summaryRules, aboutSummary }: PythonWriting) {
  const heading = written === 'code' ? 'Code' : 'Program'
  return definePrompt({
    name: `${agent}.summarise`,
    about: aboutSummary,
    wording: `${summaryRules}\n{{localeRule}}`,
    data: 'the outcome',
    format: 'text',
    input: summariseInput,
    output: z.string().min(1),
    temperature: 0,
    maxOutputTokens: 400,
    render: ({ question, code, outcome }) => ({
      user: `${heading}:\n${onOwnLines([code])}\n\nOutcome:\n${onOwnLines([outcome])}\n\n${asked}: ${question}`,
    }),
    fallback: ({ outcome }) => outcome,
  })
}

function conversation(
  { question, data, context, findings, earlierAttempts }: z.infer<typeof writeInput>,
  { asked, written }: Pick<PythonWriting, 'asked' | 'written'>,
): Message[] {
  const first = [
    `The variable data: ${data}`,
    ...(context.length === 0 ? [] : [`Context:\n${onOwnLines(context)}`]),
    ...(findings.length === 0 ? [] : [`Found so far:\n${foundLines(findings)}`]),
    `${asked}: ${question}`,
  ].join('\n\n')
  const repairs = earlierAttempts.flatMap(({ code, error }): Message[] => [
    { role: 'assistant', text: jsonLine({ plan: '', code }) },
    {
      role: 'user',
      text: `The ${written} failed:\n${quotedLines(error)}\nWrite the whole ${written} again, corrected.`,
    },
  ])
  return [{ role: 'user', text: first }, ...repairs]
}

/** What a `writePrompt` is given for a task. */
export function writeInputFor(
  task: AgentTask,
  ctx: ActorContext,
  sandbox: PythonRunner,
  given: readonly GivenTable[],
  failed: readonly FailedRun[],
): z.infer<typeof writeInput> {
  const { context, systemPrompt } = ctx.request
  return {
    question: task.text,
    libraries: librariesOf(sandbox),
    data: describeData(given),
    context: contextLines(context),
    findings: task.inputs().flatMap(({ actor, result }) => {
      return result.answer === undefined ? [] : [`${actor}: ${result.answer}`]
    }),
    earlierAttempts: [...failed],
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  }
}

/** What a `summaryPrompt` is given for a run that succeeded. */
export function summaryInputFor(
  task: AgentTask,
  ctx: ActorContext,
  code: string,
  result: PythonResult,
): z.infer<typeof summariseInput> {
  const { locale } = ctx.request
  const outcome = outcomeText(result, locale)
  return { question: task.text, code, outcome, localeRule: localeProfile(locale).rule }
}
