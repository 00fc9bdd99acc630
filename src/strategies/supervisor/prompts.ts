import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { truncateTogether } from '../../shared/json.ts'
import { jsonLine, MAX_FINDINGS_CHARS, tagged } from '../../domain/prompt-text.ts'
import { aboutRun } from '../planning/run-sections.ts'
import {
  dependencies,
  NOT_POSSIBLE_RULE,
  notPossible,
  objectOrText,
  offeredSections,
} from '../planning/planner-fields.ts'

const step = z.object({ id: z.string(), agent: z.string(), task: z.string(), depends_on: dependencies })

const input = z.object({
  /** Lines `role: text`, the latest last. */
  session_history: z.array(z.string()),
  current_plan: z.array(step.extend({ status: z.string() })),
  state_context: z.object({
    blackboard: z.array(z.object({ name: z.string(), by: z.string(), value: z.unknown() })),
    messages: z.array(z.object({ from: z.string(), kind: z.string(), content: z.string() })),
    preferred: z.array(z.string()),
    can_ask_user: z.boolean(),
  }),
  /** Results of the steps: answers, rows as CSV, errors. */
  results: z.array(z.object({ task: z.string(), agent: z.string(), status: z.string(), text: z.string() })),
  /** Declarations of the agents that can work. */
  agents: z.string(),
  /** `name: reason` of agents that cannot work. */
  unusable: z.array(z.string()),
  about: aboutRun,
  maxTasks: z.number().int(),
  /** Why the model is asked again. */
  problem: z.string().optional(),
  systemPrompt: z.string().optional(),
})

/** Empty: the open steps of the agent. */
const chosenTask = z.preprocess((given) => given ?? '', z.string()).describe('id of a step of the plan')

const output = z.object({
  thought_process: z.string().describe('one or two sentences: what is known, what is missing, who can find it'),
  plan: z.array(step).describe('the whole plan as it is to be from now on'),
  selected_agents: z
    .array(objectOrText('agent', z.object({ agent: z.string(), task: chosenTask })))
    .describe('who works next, side by side; empty when nothing is left to be done'),
  is_final: z
    .boolean()
    .nullish()
    .describe('true when the selected steps complete the work and their results need no look from you'),
  question_to_user: z
    .string()
    .nullish()
    .describe('what only the user can say and the work cannot go on without; else null'),
  not_possible: notPossible,
})

export type SupervisorInput = z.infer<typeof input>
export type Routing = z.infer<typeof output>

const INSTRUCTIONS = `You are the supervisor of specialist agents. You plan and choose who works next; afterwards the results are put into an answer.
Each time you see the plan and the results so far. Bring the plan up to date and select the steps that start now.
- Give each step to one agent, going by what it can do and what its sources hold. Use as few steps as the request needs.
- The agent sees its task, the user's own words and the results that the step depends on, not the conversation: write the task complete in itself, in the language of the request.
- A step lists in depends_on exactly the steps whose results it uses. Select all steps that can start now, side by side.
- Steps that were begun stay in the plan. A failed step that another one replaces, and a step that is not needed any more, is left out.
- When a step failed, choose another agent or put the task in other words.
- What the user changed in the plan is the user's wish.
- Select nobody when the request is done or nobody can do what is left, and for greetings, general knowledge and what the conversation already holds.
- Set is_final when the selected steps are the last ones. You are then asked again only if one of them fails or leaves a gap.
${NOT_POSSIBLE_RULE}
- <calls_made> is the record of what was changed: go by it, whatever results say.
- Ask the user with question_to_user when the work cannot go on without their word.
- Use the agents' names exactly as given. Of two that would do, take a preferred one, then the quicker one.`

/** The supervisor's call: the next agents, and the updated plan. */
export const routeAgents = definePrompt({
  name: 'supervisor.route',
  about: {
    purpose: 'Chooses who works next, keeps the plan up to date, and asks the user where only they know.',
    when: 'the strategy supervisor begins, and when the chosen agents have come back, unless they were the last',
    failure: 'the work ends, and the answer is composed from what there is',
  },
  wording: INSTRUCTIONS,
  data: 'the sections between tags, but for question,',
  input,
  output,
  verbatim: ['session_history', 'state_context', 'results', 'agents', 'unusable', 'about'],
  temperature: 0,
  maxOutputTokens: 4_000,
  withoutMemory: true,
  render: (given) => ({
    stable: [...offeredSections(given), `At most ${given.maxTasks} steps.`].join('\n'),
    user: [
      ...(given.session_history.length === 0 ? [] : [tagged('session_history', given.session_history.join('\n'))]),
      tagged('current_plan', given.current_plan.map(jsonLine).join('\n') || 'empty'),
      tagged('state_context', jsonLine(given.state_context)),
      ...resultSections(given.results),
      ...(given.problem === undefined ? [] : [tagged('problem', given.problem)]),
      ...given.about,
    ].join('\n\n'),
  }),
})

function resultSections(results: SupervisorInput['results']): string[] {
  const texts = truncateTogether(
    results.map(({ text }) => text),
    MAX_FINDINGS_CHARS,
  )
  return results.map(({ task, agent, status }, i) => tagged('result', texts[i]!, { of: agent, task, status }))
}
