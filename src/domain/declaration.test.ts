import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineAgent, type Agent } from './actor.ts'
import { definePrompt } from './prompt.ts'
import { defineTool, type Tool } from './tool.ts'

/** Mistakes of plain JavaScript callers, without type checks. */

const TOOL = {
  name: 'look_up',
  description: 'Looks a word up.',
  effect: 'read',
  input: z.object({ word: z.string() }),
  run: async () => 'found',
}
const AGENT = {
  name: 'words',
  description: 'Knows words.',
  capabilities: [],
  useCases: [],
  keywords: [],
  run: async () => ({}),
}

it.each([
  [
    { provenance: 'trusted' },
    'provenance: must be BY_USER, ownData(…), outsideData(…) or publicData(…), or a function that returns one',
  ],
  [{ provenance: { author: 'user' } }, 'provenance: must be BY_USER'],
  [{ effect: 'reads' }, 'effect: Invalid option: expected one of "read"|"write"|"irreversible"'],
  [{ reach: 'everywhere' }, 'reach: must be "inside" or a function'],
  [{ secretFields: 'password' }, 'secretFields: Invalid input: expected array, received string'],
  [{ provenence: 'x' }, 'there is no field "provenence"; did you mean "provenance"?'],
])('a tool with %j is refused', (wrong, message) => {
  expect(() => defineTool({ ...TOOL, ...wrong } as unknown as Tool<unknown, unknown>)).toThrow(
    expect.objectContaining({
      code: 'ConfigurationError',
      message: expect.stringContaining(`The tool "look_up" is not valid: ${message}`),
    }),
  )
})

it.each([
  [
    { planning: { acts: 'yes' } },
    'The planning of the agent "words" is not valid: acts: Invalid input: expected boolean, received string.',
  ],
  [
    { useCases: undefined },
    'The agent "words" is not valid: useCases: Invalid input: expected array, received undefined.',
  ],
])('an agent with %j is refused', (wrong, message) => {
  expect(() => defineAgent({ ...AGENT, ...wrong } as unknown as Agent)).toThrow(
    expect.objectContaining({ code: 'ConfigurationError', message }),
  )
})

it('a prompt without a schema of its output is refused', () => {
  const prompt = { name: 'words.ask', input: z.string(), render: () => ({}) }
  expect(() => definePrompt(prompt as never)).toThrow(
    'The prompt "words.ask" is not valid: output: must be a zod schema.',
  )
})
