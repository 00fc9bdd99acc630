import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../core/tool.ts'
import { callByWords } from './call-by-words.ts'
import { openParts } from './left-open.ts'
import type { BoundTool } from './tools.ts'

function tool(name: string, description: string, properties: Readonly<Record<string, object>>): BoundTool {
  const info = { name: `mcp:files/${name}`, description, effect: 'read', run: async () => '' } as const
  return {
    tool: defineTool<unknown, unknown>({ ...info, input: z.unknown() }),
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    source: { kind: 'mcp', name: 'files' },
  }
}

const text = { type: 'string' }
const TOOLS = [
  tool('read_text_file', 'Read the complete contents of a file. Shows how many lines there are.', { path: text }),
  tool('list_directory', 'Get a listing of all files and directories in a path.', { path: text }),
  tool('get_file_info', 'Retrieve metadata about a file.', { path: text }),
  tool('get-sum', 'Returns the sum of two numbers', { a: { type: 'number' }, b: { type: 'number' } }),
]

function open(question: string, shown = 'Order 1: Adler\nsize: 63'): string {
  const call = callByWords(question, TOOLS)
  if ('why' in call) throw new Error(call.why)
  return openParts(question, call, TOOLS, shown).join(' | ')
}

it.each([
  ['Read notes.txt and tell me how many orders it names', 'tell me how many orders it names'],
  ['Read the file notes.txt. How many orders does it name?', 'How many orders does it name?'],
  ['Read notes.txt and summarise it', 'summarise it'],
  ['Read notes.txt and translate it into German', 'translate it into German'],
  ['Please read notes.txt, then compare it with the contract', 'compare it with the contract'],
  ['Read notes.txt and tell me who ordered', 'tell me who ordered'],
  ['Read notes.txt, count the orders and say which is the largest', 'count the orders | say which is the largest'],
  ['Read how many orders notes.txt names', 'Read how many orders notes.txt names'],
  [
    'How many orders are there when you read the file notes.txt?',
    'How many orders are there when you read the file notes.txt?',
  ],
  ['List the directory docs/ and tell me how many files there are', 'tell me how many files there are'],
  ['Get the file info of notes.txt and tell me whether it is old', 'tell me whether it is old'],
  ['get-sum a=2 b=3 and explain the result', 'explain the result'],
  ['Call get-sum a=2 b=3 and call me', 'call me'],
  ['How many orders are a sum by get-sum a=2 b=3?', 'How many orders are a sum by get-sum a=2 b=3?'],
])('what a call leaves open is named: %s', (question, parts) => {
  expect(open(question)).toBe(parts)
})

it.each([
  'Read notes.txt',
  'Please read the file notes.txt and show me what it says.',
  'Read notes.txt and tell me what is in it',
  'Read the file notes.txt, and print its whole content, please. Thank you!',
  'What does the file notes.txt read?',
  'Read notes.txt. I need it for the meeting with the board.',
  'List the directory docs/ and tell me which files are there',
  'Which files are in the directory docs/? List them.',
  'Get the file info of notes.txt and tell me its size',
  'get-sum a=2 b=3',
  'call get-sum a=2 b=40',
  'Please use the tool `get-sum` with a=2 and b=3.',
  'Invoke mcp:files/get-sum with a=2, b=3',
  'Run get-sum of the server files with a: 2 and b: 3',
  'Please get the sum of a=2 and b=3 and tell me the result',
])('what a call shows is not open: %s', (question) => {
  expect(open(question)).toBe('')
})
