import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { tagged } from '../../domain/prompt-text.ts'
import { lenientEnum } from '../../domain/lenient-enum.ts'

const input = z.object({
  task: z.string(),
  /** The agent's result: text, rows as CSV, and its data if they have a schema. */
  result: z.string(),
  /** The task's inputs, and the calls that the result rests on; a section each. */
  found: z.array(z.string()),
  /** Problems found by deterministic checks. */
  faults: z.array(z.string()),
  /** JSON schema of its data. */
  schema: z.string().optional(),
})

const output = z.object({
  status: lenientEnum(['APPROVED', 'FIXED', 'REJECTED']),
  refined_output: z.string().nullish().describe('with FIXED: the whole repaired answer'),
  refined_data: z.unknown().nullish().describe('with FIXED: the whole repaired data, where there is a schema for it'),
  feedback: z.string().nullish().describe('with REJECTED: what to do differently'),
})

export type Reflection = z.infer<typeof output>

/** The reflector's call, which reviews the result of an agent. */
export const reflectOnResult = definePrompt({
  name: 'worker.reflect',
  about: {
    purpose: 'Looks at the result of an agent again: approves it, repairs it, or sends it back with feedback.',
    when: 'an agent with `workers.reflection: model`, or any agent in the strategy supervisor, has returned a result that a model had a part in',
    failure: 'the result stands, with a notice',
  },
  wording: `You are the reflector. You look at the result of another agent before it is used. Answer as JSON.
- APPROVED: the result does what the task asks and agrees with what was found.
- FIXED: there is a minor error of form, such as a wrong mark, a typing error or a wrong format. Give the whole repaired result with the same facts and marks, such as [s1].
- REJECTED: there is a major error: it answers another task, misses what was asked, or contradicts what was found. Say what to do differently.
- Figures that were worked out from what was found are right when the arithmetic is. General knowledge is fine where it is marked as such.
- Judge by the task alone. A part that is reported as not done is right where the calls show that it could not be done.
- Calls without a result are look-ups that the result does not cite.`,
  data: 'the sections between tags, but for task,',
  verbatim: ['task', 'result', 'found', 'faults', 'schema'],
  input,
  output,
  temperature: 0,
  maxOutputTokens: 4_000,
  withoutMemory: true,
  render: ({ task, result, found, faults, schema }) => ({
    user: [
      tagged('task', task),
      ...found,
      tagged('result', result),
      ...(schema === undefined ? [] : [tagged('schema', schema)]),
      ...(faults.length === 0 ? [] : [tagged('faults', faults.join('\n'))]),
    ].join('\n\n'),
  }),
})
