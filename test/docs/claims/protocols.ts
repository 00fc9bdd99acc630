import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A forced call (`tool_choice`, `function_call`) is refused':
    'test/server/protocols/clients.test.ts › is told what is wrong in the way it knows',
  '`GET` with `stream=true` is refused':
    'test/server/protocols/clients.test.ts › makes responses that go on from each other, and finds them again',
  'Text cannot be taken back in these protocols':
    'test/server/protocols/translators.test.ts › is a chat completion whose text ends with the answer and whose annotations stand at its marks',
}
