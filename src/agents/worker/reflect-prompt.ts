import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { onOwnLines, section, foundLines } from '../../core/prompt-text.ts'

const input = z.object({
  task: z.string(),
  /** What the agent came back with: words, rows, data. */
  output: z.array(z.string()),
  /** What it was given and what its tools gave back. */
  found: z.array(z.string()),
  /** What a program finds wrong with it. */
  faults: z.array(z.string()),
  /** JSON schema of its data. */
  schema: z.string().optional(),
})

const output = z.object({
  status: z.enum(['APPROVED', 'FIXED', 'REJECTED']),
  refined_output: z.string().nullish().describe('with FIXED: the whole repaired answer'),
  refined_data: z.unknown().nullish().describe('with FIXED: the whole repaired data, where there is a schema for it'),
  feedback: z.string().nullish().describe('with REJECTED: what to do differently'),
})

export type Reflection = z.infer<typeof output>

/** The second call by which the result of an agent is looked at again (SPEC W5). */
export const reflectOnResult = definePrompt({
  name: 'worker.reflect',
  about: {
    purpose: 'Looks at the result of an agent again: approves it, repairs it, or sends it back with feedback.',
    when: 'an agent with `workers.reflection: model` has come back with a result that a model had a part in',
    fallback: 'a program looks whether there is a result and whether it fits its schema',
  },
  wording: `You are the reflector. You look at the result of another agent before anybody uses it. Answer as JSON.
- APPROVED: the result does what the task asks and rests on what was found.
- FIXED: there is a minor error of form, such as a wrong mark, a typing error, a wrong format. Give the whole repaired result. Change no fact.
- REJECTED: there is a major error: it answers another task, misses what was asked, or says what was not found. Say what to do differently.
- Never add a figure, a name or a date that was not found. Keep the marks [n].
- Do not reject for what the task does not ask for, nor for style.`,
  data: 'the sections between tags, but for task,',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 2_000,
  withoutMemory: true,
  render: (given) => ({
    user: [
      section('task', onOwnLines([given.task])),
      section('found', foundLines(given.found)),
      section('result', foundLines(given.output)),
      ...(given.schema === undefined ? [] : [section('schema', onOwnLines([given.schema]))]),
      ...(given.faults.length === 0 ? [] : [section('faults', onOwnLines(given.faults))]),
    ].join('\n\n'),
  }),
  // Whoever asks gives a fallback that knows what a program found.
  fallback: (): Reflection => ({ status: 'APPROVED' }),
})
