/**
 * The scripted model provider in a process of its own, for tests that kill Tutti:
 *
 *     node --import tsx test/support/model-server.ts script.json
 *
 * prints its base URL. The script is a list of rules in JSON, in which `when` is a text that the messages must contain.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startModelServer, type ModelRequest, type Reply, type Rule } from '../../src/testing/model-server.ts'

export * from '../../src/testing/model-server.ts'

/** The start of the instructions of every tool agent. */
export const TOOL_AGENT = 'Do the task with your tools.'

/** The reply by which the expert of a review ends its work. */
export function giveAnswer(answer: string, reasoning: string): Reply {
  return toolCall('give_answer', { answer, expert_reasoning: reasoning })
}

/** A reply that calls one tool, by the name in the model's request. */
export function toolCall(name: string, input: unknown): Reply {
  return { toolCalls: [{ name: name.replaceAll(/[^A-Za-z0-9_-]+/g, '_'), arguments: input }] }
}

/** Is in the instructions of an agent that has databases. */
export const SQL_AGENT = '## Databases'

/** Two turns of a model: it runs one query and answers from it. */
export function sqlLoop(sql: string, answer: string): readonly Rule[] {
  const isAsked = ({ text, messages }: ModelRequest, role: string): boolean =>
    text.includes(SQL_AGENT) && (messages.at(-1)?.role === 'tool') === (role === 'tool')
  return [
    { when: (request) => isAsked(request, 'user'), reply: toolCall('query', { sql }) },
    { when: (request) => isAsked(request, 'tool'), reply: { text: answer } },
  ]
}

async function main(scriptFile: string | undefined): Promise<void> {
  const rules = scriptFile === undefined ? [] : (JSON.parse(await readFile(scriptFile, 'utf8')) as Rule[])
  const server = await startModelServer(rules)
  process.stdout.write(`${server.url}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2])
