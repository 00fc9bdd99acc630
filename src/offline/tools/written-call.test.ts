import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, type LoopTool } from '../../domain/tool.ts'
import { writtenCall } from './written-call.ts'

const text = { type: 'string' }
const number = { type: 'number' }

function tool(
  name: string,
  properties: object,
  required: readonly string[],
  effect: 'read' | 'write' = 'read',
): LoopTool {
  const info = { name: `mcp:files/${name}`, description: '', effect, run: async () => '' } as const
  return {
    tool: defineTool<unknown, unknown>({ ...info, input: z.unknown() } as never),
    inputSchema: { type: 'object', properties, required },
    source: { kind: 'mcp', name: 'files' },
  }
}

const TOOLS = [
  tool('read_file', { path: text }, ['path']),
  tool('read_text_file', { path: text, head: number }, ['path']),
  tool('write_file', { path: text, content: text }, ['path', 'content'], 'write'),
  tool('list_directory', { path: text }, ['path']),
  tool('get-sum', { a: number, b: number }, ['a', 'b']),
  tool('echo', { message: text }, ['message']),
  tool('get_current_time', { zone: text }, []),
  tool('set_labels', { labels: { type: 'array' } }, ['labels']),
]

function said(question: string): string {
  const call = writtenCall(question, TOOLS)
  if ('why' in call) return 'none'
  const { bound, input, rest } = call
  return `${bound.tool.name.slice(10)} ${JSON.stringify(input)}${rest === '' ? '' : ` rest: ${rest}`}`
}

it.each([
  ['list_directory path=.', 'list_directory {"path":"."}'],
  ['call echo message="hello there"', 'echo {"message":"hello there"}'],
  ['Call the tool echo with message: hello', 'echo {"message":"hello"}'],
  ['read_file path="my notes.txt"', 'read_file {"path":"my notes.txt"}'],
  ['read_text_file path=notes.txt head=3', 'read_text_file {"path":"notes.txt","head":3}'],
  ['get-sum a=2 b=-3', 'get-sum {"a":2,"b":-3}'],
  ['set_labels {"labels":["a","b"]}', 'set_labels {"labels":["a","b"]}'],
  ['Call get_current_time', 'get_current_time {}'],
  ['What is the current time?', 'none'],
  ['call echo message=hello, and tell me why', 'echo {"message":"hello"} rest: tell me why'],
  // More than the call, a field that is missing, unknown, cut short or said twice.
  ['What is the current time in Tokyo?', 'none'],
  ['write_file path=a.txt content=x if it is missing', 'none'],
  ['Read the file notes.txt', 'none'],
  ['get-sum a=2', 'none'],
  ['get-sum a=2 b=3 c=4', 'none'],
  ['call echo message=hello world', 'none'],
  ['call echo message=hello message=bye', 'none'],
  // Not asked for.
  ['do not call echo message=hello', 'none'],
  ['What would happen if I call echo message=hello?', 'none'],
  ['What does write_file path=a.txt content=x do?', 'none'],
  ['Please call write_file path=a.txt content=x', 'write_file {"path":"a.txt","content":"x"}'],
  ['How many customers are there?', 'none'],
  ['', 'none'],
])('%s', (question, expected) => expect(said(question)).toBe(expected))

it('never invents a value, nor omits one', () => {
  const word = fc.constantFrom('call', 'read_file', 'get-sum', 'echo', 'the', 'and', 'why', 'write_file', 'not')
  const field = fc.constantFrom(
    'path=a.txt',
    'a=2',
    'b=-3',
    'message="some words"',
    'content=x',
    'head=3',
    'path=b/c.md',
  )
  let calls = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(word, field), { maxLength: 5 }), (words) => {
      const call = writtenCall(words.join(' '), TOOLS)
      if ('why' in call) return
      calls++
      const given = Object.entries(call.input).map(([name, value]) => `${name}=${String(value)}`)
      const written = words.filter((one) => one.includes('=')).map((one) => one.replaceAll('"', ''))
      expect(given.toSorted()).toEqual(written.toSorted())
    }),
    { seed: 21, numRuns: 4_000 },
  )
  expect(calls).toBeGreaterThan(20)
})

it('a call with an unread remainder is not made', () => {
  const call = `write_file path="a.txt" content="b"`
  expect(writtenCall(call, TOOLS)).toHaveProperty('input')
  expect(writtenCall(`${call}${' '.repeat(4_000)}once it is late`, TOOLS)).toHaveProperty('why')
})
