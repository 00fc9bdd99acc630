import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A forced call (`tool_choice`, `function_call`) is refused':
    'test/server/protocols/clients.test.ts › gets errors in its own format',
  '`GET` with `stream=true` is refused':
    'test/server/protocols/clients.test.ts › makes responses that continue each other, and retrieves them',
  'Text cannot be taken back in these protocols':
    'test/server/protocols/translators.test.ts › is a chat completion whose text ends with the answer and whose annotations are at its marks',
}
