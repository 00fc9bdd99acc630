import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { App, AppOf } from '../../../app/user-app.ts'
import { mayUse, scopeNeeded, type Caller, type Needed } from '../../../domain/caller.ts'
import { errorInfo, TuttiError } from '../../../domain/errors.ts'
import type { RunId } from '../../../domain/events.ts'
import { MAX_QUESTION_LENGTH } from '../../../domain/request.ts'
import { omitUndefined } from '../../../shared/json.ts'
import { uncitedSources, type RunResponse } from '../../../domain/response.ts'
import type { Source } from '../../../domain/result.ts'
import { tableBlocks } from '../markdown-table.ts'
import { RunParts, RunReader } from '../run-parts.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const READ: Needed = { role: 'viewer', scope: 'read' }
const FOLLOW: Needed = { ...READ, orScope: 'ask' }
const ASK: Needed = { role: 'member', scope: 'ask' }

const INSTRUCTIONS =
  'Tutti plans a question, lets its agents work on databases, APIs, documents and the web, and answers with sources. ' +
  'Use `ask` for a question; calls that need a person’s approval are skipped. Answers cite their sources as [n].'

/**
 * Tutti as an MCP server: ask, search documents, show a run. No tool approves or answers on behalf of a
 * user.
 * @param callerOf returns the caller of its tools
 */
export async function tuttiServer(
  app: Pick<App, 'as' | 'knowledge' | 'strategies'>,
  version: string,
  callerOf: () => Caller,
): Promise<McpServer> {
  const { McpServer: Server } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const server = new Server({ name: 'tutti', title: 'Tutti', version }, { instructions: INSTRUCTIONS })
  /** Returns errors as tool results, with the messages that users read. */
  const as =
    <A>(rights: Needed, work: (args: A, caller: Caller, extra: Extra) => Promise<CallToolResult>) =>
    async (args: A, extra: Extra): Promise<CallToolResult> => {
      try {
        const caller = callerOf()
        if (!mayUse(caller, rights)) {
          throw new TuttiError(
            'NotAllowed',
            `This needs the role ${rights.role} and a key with the scope ${scopeNeeded(rights)}.`,
          )
        }
        return await work(args, caller, extra)
      } catch (thrown) {
        const { type, message } = errorInfo(thrown)
        return { isError: true, content: [{ type: 'text', text: `${type}: ${message}` }] }
      }
    }

  server.registerTool(
    'ask',
    {
      title: 'Ask a question',
      description: 'Answers a question by databases, APIs, documents, computations and the web, with its sources.',
      inputSchema: z.strictObject({
        question: z.string().min(1).max(MAX_QUESTION_LENGTH),
        strategy: z
          .enum(app.strategies as [string, ...string[]])
          .optional()
          .describe('How the work is organised; by the question when absent'),
        conversationId: z.string().optional().describe('ID of a conversation to continue, from an earlier answer'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    as(ASK, async ({ question, strategy, conversationId }, { userId }, extra) => {
      const mine = app.as(userId)
      const runId = await mine.start({ question, interactive: false, ...omitUndefined({ strategy, conversationId }) })
      await follow(mine, runId, extra)
      return answerOf(await mine.response(runId))
    }),
  )

  server.registerTool(
    'search_documents',
    {
      title: 'Search documents',
      description: 'Finds passages in the documents that were given to Tutti, best first.',
      inputSchema: z.strictObject({
        query: z.string().min(1).max(10_000),
        limit: z.number().int().min(1).max(50).optional(),
      }),
      annotations: { readOnlyHint: true },
    },
    as(READ, async ({ query, limit }, caller) => {
      const { hits, notes } = await app.knowledge.search(
        await app.knowledge.shared.readableScope(caller),
        query,
        omitUndefined({ limit }),
      )
      const passages = hits.map(({ chunk, document }) => ({
        document: document.name,
        documentId: document.documentId,
        ...omitUndefined({ page: chunk.page, section: chunk.section }),
        start: chunk.start,
        end: chunk.end,
        text: chunk.text,
      }))
      return result({ passages, notes })
    }),
  )

  server.registerTool(
    'show_run',
    {
      title: 'Show a run',
      description: 'What a run has come to: its answer, its sources, what each agent did.',
      inputSchema: z.strictObject({ runId: z.string() }),
      annotations: { readOnlyHint: true },
    },
    as(FOLLOW, async ({ runId }, { userId }) => answerOf(await app.as(userId).response(runId))),
  )
  return server
}

/**
 * Waits for the end of a run and reports progress. If the client cancels the call, the run is cancelled; if it only
 * disconnects, the run continues.
 */
async function follow(mine: AppOf, runId: RunId, { signal, _meta, sendNotification }: Extra): Promise<void> {
  const reader = new RunReader()
  const parts = new RunParts()
  const progressToken = _meta?.progressToken
  let progress = 0
  for await (const item of mine.runs.stream(runId, { signal })) {
    reader.take(item)
    if (item.type === 'live.text' || progressToken === undefined) continue
    for (const part of parts.of(item, reader.state)) {
      if (part.kind !== 'task') continue
      const message = `${part.data.agent}: ${part.data.status}`
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: ++progress, message },
      })
    }
  }
  if (!signal.aborted) return
  // The reason is a string if the client cancelled the call, but not if the connection ended.
  if (typeof signal.reason === 'string') await mine.runs.cancel(runId, mine.runs.owner)
  throw new TuttiError('Cancelled', `The call ended before run ${runId} did.`)
}

/** The answer as text, and the same as structured data. */
function answerOf(response: RunResponse): CallToolResult {
  const { answer, basis, notices, checks, data, citations, agentResults, metadata, error } = response
  const uncited = uncitedSources(response)
  const { runId, status, conversationId, isAnswered, unanswered, notes } = metadata
  const named = ({ name, url }: Source): string => (url === undefined ? name : `${name} ${url}`)
  const sources = [
    ...citations.map(({ n, source }) => `[${n}] ${named(source)}`),
    ...uncited.map((source) => `Source: ${named(source)}`),
  ]
  const text = [
    answer,
    ...tableBlocks(data),
    ...(sources.length === 0 ? [] : [sources.join('\n')]),
    ...(error === undefined ? [] : [`${error.type}: ${error.message}`]),
    ...notes.map((note) => `Note: ${note}`),
    `Run ${runId}, ${status}`,
  ]
  const agents = agentResults.map(({ agent, status: ended }) => ({ agent, status: ended }))
  const structured = {
    runId,
    status,
    ...omitUndefined({ conversationId }),
    answer,
    isAnswered,
    unanswered,
    notes,
    answerStatus: response.status,
    basis,
    notices,
    checks,
    citations,
    sources: uncited,
    agents,
    ...omitUndefined({ data }),
  }
  return {
    content: [{ type: 'text', text: text.filter((block) => block !== '').join('\n\n') }],
    structuredContent: structured,
    ...(error === undefined && status !== 'cancelled' ? {} : { isError: true }),
  }
}

function result(structured: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structured, undefined, 2) }], structuredContent: structured }
}
