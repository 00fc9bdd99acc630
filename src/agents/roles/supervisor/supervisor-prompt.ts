import { z } from 'zod'
import { definePrompt } from '../../../core/prompt.ts'
import { cutTogether } from '../../../core/outside.ts'
import { jsonLine, MOST_FOUND, onOwnLines, section } from '../../../core/prompt-text.ts'
import { declaration } from '../graph/master-planner-prompt.ts'

const step = z.object({ id: z.string(), agent: z.string(), task: z.string(), depends_on: z.array(z.string()) })

const input = z.object({
  /** The question, and what the person has answered since. */
  user_request: z.array(z.string()),
  /** Lines `role: text`, the latest last. */
  session_history: z.array(z.string()),
  current_plan: z.array(step.extend({ status: z.string() })),
  state_context: z.object({
    /** Lines `key: value`, the date among them. */
    context: z.array(z.string()),
    /** What the person was asked, in the order of the answers. */
    asked: z.array(z.string()),
    results: z.array(z.object({ task: z.string(), agent: z.string(), status: z.string(), result: z.unknown() })),
    blackboard: z.array(z.object({ name: z.string(), by: z.string(), value: z.unknown() })),
    artifacts: z.array(z.string()),
    messages: z.array(z.object({ from: z.string(), kind: z.string(), content: z.string() })),
    preferred: z.array(z.string()),
    disabled: z.array(z.string()),
  }),
  agents: z.array(declaration),
  maxTasks: z.number().int(),
  /** Why it is asked again. */
  problem: z.string().optional(),
  systemPrompt: z.string().optional(),
})

const output = z.object({
  thought_process: z.string().describe('one or two sentences: what is known, what is missing, who can find it'),
  plan: z.array(step).describe('the whole plan as it is to be from now on, finished steps included'),
  selected_agents: z
    .array(z.object({ agent: z.string(), task: z.string().describe('id of a step of the plan') }))
    .describe('who works next, side by side; empty when nothing is left to be done'),
})

export type SupervisorInput = z.infer<typeof input>
export type Routing = z.infer<typeof output>

const INSTRUCTIONS = `You are the supervisor of specialist agents. You do not answer the question and you do not talk; you plan and route.
Each time you see the plan and what the agents have found so far. Bring the plan up to date, and choose who works next.
- Each step of the plan goes to one agent and asks for one thing. Its task must be complete in itself: the agent does not see the question.
- A step lists in depends_on exactly those steps whose results it needs. It can be chosen once they are finished, or together with them.
- Choose all steps that can start now, not one after the other.
- What is to be done only if something is so becomes a step once that is known, and only if it is so.
- Finished steps stay in the plan as they are. A step that is not needed any more is replaced, not left out.
- A step for a part of the question says in the question's words what it is about; a part that no step is about stays open.
- Add a step only when the question needs what no step brings. Use as few as it needs; putting results into words is done afterwards.
- When a step failed, choose another agent for it or put its task in other words; do not ask the same again.
- What a person changed in the plan is the person's wish.
- Choose nobody when every part of the question is done, or nobody can do what is left. Whether it is done is seen from the plan, not from what you say.
- Use the agents' names exactly as given. Of two that would do, take a preferred one, then the quicker one.`

/** The state with what was found in the room that there is for all of it: a value that has none is the beginning of its JSON. */
function inBounds(state: SupervisorInput['state_context']): SupervisorInput['state_context'] {
  const { results, blackboard, messages, artifacts } = state
  const values = [...results.map((one) => one.result), ...blackboard.map((one) => one.value)]
  const texts = [...values.map(textOf), ...messages.map(({ content }) => content), ...artifacts]
  const kept = cutTogether(texts, MOST_FOUND)
  const valueAt = (at: number): unknown => (kept[at] === texts[at] ? values[at] : kept[at])
  const [ofBoard, ofMessages] = [results.length, values.length]
  return {
    ...state,
    results: results.map((one, i) => ({ ...one, result: valueAt(i) })),
    blackboard: blackboard.map((one, i) => ({ ...one, value: valueAt(ofBoard + i) })),
    messages: messages.map((one, i) => ({ ...one, content: kept[ofMessages + i]! })),
    artifacts: kept.slice(ofMessages + messages.length),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The supervisor's call (SPEC W3): who is next, and the plan as it is to be. */
export const routeAgents = definePrompt({
  name: 'supervisor.route',
  about: {
    purpose: 'Chooses who works next, and keeps the plan up to date.',
    when: 'the strategy supervisor begins, and each time the chosen agents have come back',
    fallback: 'all parts of the plan that can start are next; what was declined goes to the next agent',
  },
  wording: INSTRUCTIONS,
  data: 'the sections between tags, but for user_request,',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 2_000,
  withoutMemory: true,
  render: (given) => ({
    stable: `${section('agents', given.agents.map(jsonLine).join('\n'))}\n\nAt most ${given.maxTasks} steps.`,
    user: [
      section('session_history', onOwnLines(given.session_history)),
      section('current_plan', given.current_plan.map(jsonLine).join('\n')),
      section('state_context', jsonLine(inBounds(given.state_context))),
      ...(given.problem === undefined ? [] : [section('problem', onOwnLines([given.problem]))]),
      section('user_request', onOwnLines(given.user_request)),
    ].join('\n\n'),
  }),
  // Whoever asks gives a fallback that knows the plan.
  fallback: (): Routing => ({ thought_process: 'Nobody is asked.', plan: [], selected_agents: [] }),
})
