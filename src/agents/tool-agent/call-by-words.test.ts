import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../core/tool.ts'
import { callByWords } from './call-by-words.ts'
import type { BoundTool } from './tools.ts'

function tool(name: string, properties: Readonly<Record<string, object>>, optional: readonly string[] = []): BoundTool {
  const info = { name: `mcp:files/${name}`, description: '', effect: 'read', run: async () => '' } as const
  const required = Object.keys(properties).filter((field) => !optional.includes(field))
  return {
    tool: defineTool<unknown, unknown>({ ...info, input: z.unknown() }),
    inputSchema: { type: 'object', properties, required },
    source: { kind: 'mcp', name: 'files' },
  }
}

const text = { type: 'string' }
const number = { type: 'number' }
const TOOLS = [
  tool('read_file', { path: text }),
  tool('read_text_file', { path: text, head: number }, ['head']),
  tool('read_multiple_files', { paths: { type: 'array', items: text } }),
  tool('write_file', { path: text, content: text }),
  tool('list_directory', { path: text }),
  tool('move_file', { source: text, destination: text }),
  tool('get-sum', { a: number, b: number }),
  tool('echo', { message: text }),
  tool('set_level', { level: { enum: ['low', 'high'] } }),
]

/** The call in short, or `–`. */
function said(question: string, tools: readonly BoundTool[] = TOOLS): string {
  const call = callByWords(question, tools)
  return 'why' in call ? '–' : `${call.bound.tool.name.slice(10)} ${JSON.stringify(call.input)}`
}

it.each([
  'do not call echo message=hello',
  "don't use the tool echo message=hello",
  'What would happen if I call echo message=hello?',
  'never read the file notes.txt',
  'Answer without the tool echo message=hello',
  'call echo message=hello world',
  'call echo message=hello message=bye',
  'call echo message=hello loud=true',
])('no call is made of “%s”', (question) => {
  expect(said(question)).toBe('–')
})

it.each([
  ["call echo message='hello there'", 'hello there'],
  ['call echo message=“hello there”', 'hello there'],
  ['call echo message=hello, and tell me why', 'hello'],
  ['call echo message=5', '5'],
])('a value is taken as it is written: %s', (question, message) => {
  expect(said(question)).toBe(`echo ${JSON.stringify({ message })}`)
})

describe('a call that a question says', () => {
  it.each([
    ['read the file notes.txt', 'read_text_file {"path":"notes.txt"}'],
    ['list_directory path=.', 'list_directory {"path":"."}'],
    ['move_file source=.. destination=.', 'move_file {"source":"..","destination":"."}'],
    ['Read notes.txt and tell me how many orders it names', 'read_text_file {"path":"notes.txt"}'],
    ['Please read “my notes.txt”.', 'read_text_file {"path":"my notes.txt"}'],
    ['Read the file report.pdf', 'read_file {"path":"report.pdf"}'],
    ['call read_file with path "notes.txt"', 'read_file {"path":"notes.txt"}'],
    ['read_text_file path=notes.txt head=3', 'read_text_file {"path":"notes.txt","head":3}'],
    ['Write "hello" to the file out.txt', 'write_file {"path":"out.txt","content":"hello"}'],
    ['List the folder docs/', 'list_directory {"path":"docs/"}'],
    ['read_multiple_files a.txt b.txt', 'read_multiple_files {"paths":["a.txt","b.txt"]}'],
    ['Echo "hi there"', 'echo {"message":"hi there"}'],
    ['get-sum a=2 b=-3', 'get-sum {"a":2,"b":-3}'],
    ['move_file source=a.txt destination=b/c.txt', 'move_file {"source":"a.txt","destination":"b/c.txt"}'],
    ['Set the level high', 'set_level {"level":"high"}'],
    // Which is which is nobody's guess.
    ['Move the file a.txt to b/c.txt', '–'],
    ['Get the sum of 2 and 3', '–'],
    ['Set the level from low to high', '–'],
    // A value without a place, a field without a value.
    ['read a.txt and b.txt', '–'],
    ['Read the file notes.txt from 2024', '–'],
    ['Write the file out.txt', '–'],
    ['Read the file', '–'],
    ['How many customers are there?', '–'],
    ['', '–'],
  ])('%s → %s', (question, expected) => {
    expect(said(question)).toBe(expected)
  })

  it('is none where two tools are meant alike', () => {
    const twins = [tool('read_file', { path: text }), tool('file_read', { path: text })]
    expect(callByWords('Read the file a.txt', twins)).toEqual({
      why: 'several tools may be meant: read_file, file_read; name one',
    })
  })

  it('that is written out is that call and no other, whatever the values are', () => {
    const value = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _/.-]{0,20}$/).filter((one) => !one.endsWith('.'))
    fc.assert(
      fc.property(fc.constantFrom(...TOOLS.slice(0, 2), TOOLS[3]!, TOOLS[5]!), value, value, (bound, one, two) => {
        const fields = (bound.inputSchema['required'] as string[]).map((field, i) => [field, [one, two][i]!] as const)
        const name = bound.tool.name.slice(10)
        const question = `Call ${name} with ${fields.map(([field, given]) => `${field}="${given}"`).join(' and ')}`
        expect(said(question)).toBe(`${name} ${JSON.stringify(Object.fromEntries(fields))}`)
      }),
      { seed: 20, numRuns: 500 },
    )
  })

  it('never gives a value that the question does not hold, nor leaves out one that it holds', () => {
    const word = fc.constantFrom(
      'read',
      'the',
      'file',
      'write',
      'move',
      'list',
      'directory',
      'echo',
      'text',
      'and',
      'to',
      'set',
      'level',
      'high',
      'sum',
    )
    const literal = fc.constantFrom('a.txt', 'b/c.md', '"some words"', '7', '2.5', 'docs/')
    fc.assert(
      fc.property(fc.array(fc.oneof(word, literal), { maxLength: 7 }), (words) => {
        const call = callByWords(words.join(' '), TOOLS)
        if ('why' in call) return
        const values = Object.values(call.input)
          .flat()
          .map(String)
          .filter((one) => one !== 'high')
        const literals = words.filter((one) => /[./"\d]/.test(one)).map((one) => one.replaceAll('"', ''))
        expect(values.toSorted()).toEqual(literals.toSorted())
      }),
      { seed: 21, numRuns: 3_000 },
    )
  })
})
