import type { Agent } from '../../core/actor.ts'
import type { ToolDefinition } from '../../core/turn.ts'
import { OTHER_STRATEGIES } from '../../strategies/direct/types.ts'

export const DELEGATE = 'delegate'
export const ASK_USER = 'ask_user'

/** Sets the plan of the run, or hands the question over to another strategy. */
export function delegateTool(agents: readonly Agent[]): ToolDefinition {
  const task = {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
      agent: { type: 'string', enum: agents.map(({ name }) => name) },
      task: {
        type: 'string',
        description: 'Aim, expected result, sources and limits; it does not know this conversation.',
      },
      depends_on: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of tasks whose results it is given; "assistant" for your own.',
      },
    },
    required: ['id', 'agent', 'task'],
    additionalProperties: false,
  }
  return {
    name: DELEGATE,
    description:
      'Gives parts of extensive work to other agents, which work in parallel; you continue with their results. With `strategy` the whole question is handed over instead: `review` for an answer that critics check, `supervisor` where each step depends on the one before.',
    inputSchema: {
      type: 'object',
      properties: {
        tasks: { type: 'array', items: task, minItems: 1, maxItems: 12 },
        strategy: { type: 'string', enum: [...OTHER_STRATEGIES] },
      },
      additionalProperties: false,
    },
  }
}

export const askUserTool: ToolDefinition = {
  name: ASK_USER,
  description:
    'Asks the user a question and waits for the reply, which is the result. Only for what the data cannot tell and a wrong guess would spoil.',
  inputSchema: {
    type: 'object',
    properties: { question: { type: 'string' }, choices: { type: 'array', items: { type: 'string' }, maxItems: 8 } },
    required: ['question'],
    additionalProperties: false,
  },
}

const ASK = 'ask_'

/** An agent that works in a loop of its own, as one tool. */
export function askAgentTool({ name, description, useCases }: Agent): ToolDefinition {
  return {
    name: `${ASK}${name.replace(/[^A-Za-z0-9_-]+/g, '_')}`.slice(0, 64),
    description: [`Gives a task to the agent "${name}": ${description}`, ...useCases.slice(0, 5)].join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        task: { type: 'string', description: 'All that the agent needs to know; it does not know this conversation.' },
      },
      required: ['task'],
      additionalProperties: false,
    },
  }
}
