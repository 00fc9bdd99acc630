import { z } from 'zod'
import { defineAgent, type Agent } from '../../src/domain/actor.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { defineTool } from '../../src/domain/tool.ts'

/** A tool whose calls need approval. @param sent receives the recipients */
export const letterTool = (sent: string[] = []) =>
  defineTool({
    name: 'send_letter',
    description: 'Sends a letter.',
    effect: 'irreversible',
    provenance: BY_USER,
    input: z.object({ to: z.string() }),
    run: async ({ to }) => void sent.push(to),
  })

/** An agent for questions about a pigeon. It sends a letter to the name after “to”. */
export function letterSender(sent?: string[]): Agent {
  const letter = letterTool(sent)
  return defineAgent({
    name: 'sender',
    description: 'Sends letters.',
    capabilities: [],
    useCases: [],
    keywords: ['pigeon'],
    async run({ text = '' }, ctx) {
      await ctx.call(letter, { to: /to (\w+)/.exec(text)?.[1] ?? 'nobody' })
      return { answer: 'The letter is on its way.' }
    },
  })
}
