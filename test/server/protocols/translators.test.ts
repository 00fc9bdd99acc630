import { HttpAgent } from '@ag-ui/client'
import { readUIMessageStream, uiMessageChunkSchema } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agUiEvents } from '../../../src/server/protocols/ag-ui.ts'
import { chatChunks, chatCompletion } from '../../../src/server/protocols/openai/chat.ts'
import { uiMessageChunks, type TuttiUIMessage } from '../../../src/server/protocols/ui-message-stream.ts'
import { collected, randomRun, streamed, type RandomRun } from './run-log.ts'

const model = 'auto'
const STARTS_OVER = '(The answer starts over. Ignore the text above.)'

/** Checks that the final text of clients is exactly the answer. */
function saysAnswer(text: string, { answer = '' }: RandomRun): boolean {
  const [first, ...rest] = text.split(STARTS_OVER)
  const counts = (rest.at(-1) ?? first!).trimStart()
  const [words, table] = counts.split(/(?:^|\n\n)\| a \| b\\\|c \|/)
  return words!.trimEnd() === answer.trim() && (table === undefined || table.includes('| 1 |  |'))
}

describe('any run in other protocols', () => {
  it('is a chat completion whose text ends with the answer and whose annotations are at its marks', async () => {
    const check = async (run: RandomRun): Promise<void> => {
      const chunks = collected(chatChunks(streamed(run.items), { model, includeUsage: true }))
      const whole = chatCompletion(streamed(run.items), { model })
      const ends = await Promise.allSettled([chunks, whole])
      const codes = { 'run.finished': undefined, 'run.failed': 'ModelUnavailable', 'run.cancelled': 'Cancelled' }
      const expected = codes[run.end]
      expect(ends.map((end) => (end.status === 'rejected' ? end.reason.code : undefined))).toEqual([expected, expected])
      if (run.end !== 'run.finished') return
      const all = await chunks
      const text = all.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')
      expect(saysAnswer(text, run), text).toBe(true)
      const finishes = all.flatMap(({ choices: [choice] }) => choice?.finish_reason ?? [])
      expect([finishes, all.at(-1)!.usage, all[0]!.choices[0]!.delta.role]).toMatchObject([
        ['stop'],
        { total_tokens: 0 },
        'assistant',
      ])
      const deltas = all.map(({ choices: [choice] }) => choice?.delta as { annotations?: Annotation[] } | undefined)
      assertAtMarks(
        text,
        deltas.flatMap((delta) => delta?.annotations ?? []),
      )
      const { message } = (await whole).choices[0]!
      expect(saysAnswer(message.content!, run) && !message.content!.includes(STARTS_OVER)).toBe(true)
      assertAtMarks(message.content!, message.annotations as Annotation[])
    }
    await fc.assert(fc.asyncProperty(randomRun, check), { numRuns: 150, seed: 1 })
  })

  it('is a UI message that contains only the answer, with pending approvals and sources', async () => {
    const schema = uiMessageChunkSchema()
    const check = async (run: RandomRun): Promise<void> => {
      const chunks = await collected(uiMessageChunks(streamed(run.items)))
      for (const chunk of chunks) expect(await schema.validate!(chunk)).toMatchObject({ success: true })
      const problems: unknown[] = []
      const message = (
        await collected(
          readUIMessageStream<TuttiUIMessage>({
            stream: new ReadableStream({
              start(controller) {
                for (const chunk of chunks) controller.enqueue(chunk)
                controller.close()
              },
            }),
            onError: (error) => problems.push(error),
          }),
        )
      ).at(-1)!
      expect(problems).toHaveLength(run.end === 'run.failed' ? 1 : 0)
      expect(message.metadata).toMatchObject({
        status: run.end.slice('run.'.length),
        conversationId: 'c-1',
        usage: { calls: 0 },
      })
      expect(run.answer === undefined || textOf(message).trim() === run.answer.trim(), textOf(message)).toBe(true)
      const asked = run.items.flatMap((item) => (item.type === 'approval.requested' ? [item.approvalId] : []))
      const shown = message.parts.flatMap((part) => (part.type === 'data-approval' ? [part.id] : []))
      expect(new Set(shown)).toEqual(new Set(asked))
    }
    await fc.assert(fc.asyncProperty(randomRun, check), { numRuns: 150, seed: 3 })
  })

  it('is an AG-UI run that its client accepts, with the answer as its only message', async () => {
    const check = async (run: RandomRun): Promise<void> => {
      const input = {
        threadId: 'thread',
        runId: 'run',
        messages: [{ id: 'q', role: 'user' as const, content: 'How many?' }],
      }
      const events = await collected(agUiEvents(streamed(run.items), input))
      const body = events
        .map(
          (event) => `data: ${JSON.stringify(event)}

`,
        )
        .join('')
      const agent = new HttpAgent({
        url: 'http://127.0.0.1/',
        threadId: 'thread',
        initialMessages: input.messages,
        fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      })
      const told: string[] = []
      await agent.runAgent(
        { runId: 'run' },
        {
          onCustomEvent: ({ event }) => void told.push(event.name),
          onRunErrorEvent: ({ event }) => void told.push(event.message),
        },
      )
      expect(told.includes('No model answers.')).toBe(run.end === 'run.failed')
      expect(agent.state).toMatchObject({ status: run.end.slice('run.'.length), conversationId: 'c-1' })
      const said = agent.messages.flatMap(({ role, content }) => (role === 'assistant' ? [String(content).trim()] : []))
      expect(run.answer === undefined || said.join('|') === run.answer.trim(), said.join('|')).toBe(true)
      const approvals = agent.state.approvals as Record<string, { status: string }>
      const asked = run.items.flatMap((item) => (item.type === 'approval.requested' ? [item.approvalId] : []))
      expect(new Set(Object.keys(approvals))).toEqual(new Set(asked))
      expect(told.filter((name) => name === 'hitl_required')).toHaveLength(asked.length)
    }
    await fc.assert(fc.asyncProperty(randomRun, check), { numRuns: 150, seed: 4 })
  })
})

interface Annotation {
  readonly url_citation: { readonly start_index: number; readonly end_index: number; readonly url: string }
}

function assertAtMarks(text: string, annotations: readonly Annotation[]): void {
  for (const { url_citation } of annotations) {
    const { start_index, end_index, url } = url_citation
    expect(text.slice(start_index, end_index)).toMatch(url.startsWith('https:') ? /^\[1/ : /2\]$/)
    expect(() => new URL(url)).not.toThrow()
  }
}

function textOf({ parts }: TuttiUIMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
