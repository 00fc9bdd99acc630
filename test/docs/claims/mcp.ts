import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A server that asks for your model (sampling) is refused':
    'test/mcp/hostile.test.ts › logging, elicitation and sampling requests in a non-interactive run: reported, declined, refused',
  'It never guesses': 'src/offline/tools/written-call.test.ts › never invents a value, nor omits one',
}
