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
  [{ effect: 'reads' }, 'effect: must be "read" or "write" or "irreversible"'],
  [{ reach: 'everywhere' }, 'reach: must be "inside" or a function'],
  [{ input: { word: 'string' } }, 'input: must be a zod schema'],
  [{ run: undefined }, 'run: must be a function'],
  [{ secretFields: 'password' }, 'secretFields: must be a list, not a text'],
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
    'The planning of the agent "words" is not valid: acts: must be true or false, not a text.',
  ],
  [{ keywords: 'words' }, 'The agent "words" is not valid: keywords: must be a list, not a text.'],
  [{ description: '' }, 'The agent "words" is not valid: description: must not be empty.'],
  [{ useCases: undefined }, 'The agent "words" is not valid: useCases: is missing.'],
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
