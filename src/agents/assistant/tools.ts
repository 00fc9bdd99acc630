import type { Agent } from '../../domain/actor.ts'
import { truncateAtWord } from '../../shared/json.ts'
import type { ToolDefinition } from '../../domain/turn.ts'
import { ASK_USER } from '../../tool-loop/tool-list.ts'
import { OTHER_STRATEGIES } from '../../strategies/direct/types.ts'

export const DELEGATE = 'delegate'

/** Sets the plan of the run, or hands the question over to another strategy. */
export function delegateTool(agents: readonly Agent[]): ToolDefinition {
  const task = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      agent: { type: 'string', enum: agents.map(({ name }) => name) },
      task: { type: 'string', description: 'aim, expected result, limits' },
      depends_on: { type: 'array', items: { type: 'string' }, description: 'ids; assistant: your results' },
    },
    required: ['id', 'agent', 'task'],
  }
  return {
    name: DELEGATE,
    description:
      'Gives tasks of extensive work to other agents, which do not know this conversation; you continue with their results. Or hands the whole question over to a strategy: review has critics check the answer, supervisor chooses each step by the results before.',
    inputSchema: {
      type: 'object',
      properties: {
        tasks: { type: 'array', items: task },
        strategy: { type: 'string', enum: [...OTHER_STRATEGIES] },
      },
    },
  }
}

export const askUserTool: ToolDefinition = {
  name: ASK_USER,
  description: 'Asks the user what the data cannot tell and a wrong guess would spoil.',
  inputSchema: {
    type: 'object',
    properties: { question: { type: 'string' }, choices: { type: 'array', items: { type: 'string' } } },
    required: ['question'],
  },
}

const ASK = 'ask_'
/** Maximum characters of an agent's description, with the names of its tools. */
const MAX_ABOUT = 300

/** An agent that works in a loop of its own, as one tool. */
export function askAgentTool({ name, description }: Agent): ToolDefinition {
  return {
    name: `${ASK}${name.replace(/[^A-Za-z0-9_-]+/g, '_')}`.slice(0, 64),
    description: `${truncateAtWord(description, MAX_ABOUT)} Does not know this conversation.`,
    inputSchema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
  }
}
