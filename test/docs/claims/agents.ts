import type { Claims } from './claim.ts'

export const claims: Claims = {
  'Wrong declarations are refused': 'src/domain/declaration.test.ts › an agent with %j is refused',
  'internal addresses are refused':
    'src/engine/calls/door.test.ts › does not reach this machine unless the operator allows it',
  'The host cannot hold a placeholder': 'src/engine/calls/door.test.ts › has no placeholder in its host',
  'A header cannot change the method': 'src/engine/calls/door.test.ts › keeps its method in spite of headers',
  'Until its tools are known, such an agent cannot work':
    'test/mcp/reload.test.ts › a server that did not answer at start, also for people who are given it',
}
