import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A server that asks for your model (sampling) is refused':
    'test/mcp/hostile.test.ts › what it says, asks and wants a model for in the middle of a call that nobody watches: told, declined, refused',
  'It never guesses': 'src/offline/tools/written-call.test.ts › never invents a value, nor omits one',
}
