/**
 * The scripted model provider in a process of its own, for tests that kill Tutti:
 *
 *     node --import tsx test/support/model-server.ts script.json
 *
 * prints its base URL. The script is a list of rules in JSON, in which `when` is a text that the messages must contain.
 */
import type { ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as kit from '../../src/testing/model-server.ts'
import { writeWithFault, type Reply } from './model-faults.ts'

export type { Reply } from './model-faults.ts'
export type ModelRequest = kit.ModelRequest

export interface Rule extends kit.Rule {
  readonly reply: Reply | ((request: ModelRequest) => Reply | Promise<Reply>)
}

export interface ModelServer extends kit.ModelServer {
  /** Clients that have gone before the end of their answer. */
  readonly gone: number
  script(rules: readonly Rule[], models?: readonly string[]): void
  /** Resolves once so many requests have arrived in all. */
  arrived(count: number): Promise<void>
  /** Resolves once so many clients have gone before the end of their answer. */
  aborted(count: number): Promise<void>
}

/** The server of `tutti/testing` with faults. */
export async function startModelServer(initial: readonly Rule[] = []): Promise<ModelServer> {
  let gone: ServerResponse[] = []
  const server = await kit.startModelServer(initial, (response, reply: Reply, model, isStream) => {
    const ofScript = gone
    const isDroppedByScript = reply.fault === 'close' || reply.fault === 'truncated'
    response.on('close', () => {
      if (!response.writableFinished && !isDroppedByScript) ofScript.push(response)
    })
    writeWithFault(response, reply, model, isStream)
  })
  const until = async (isReached: () => boolean): Promise<void> => {
    while (!isReached()) await wait(1)
  }
  return {
    ...server,
    get requests() {
      return server.requests
    },
    get gone() {
      return gone.length
    },
    script(rules, models) {
      gone = []
      server.script(rules, models)
    },
    arrived: (count) => until(() => server.requests.length >= count),
    aborted: (count) => until(() => gone.length >= count),
  }
}

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
