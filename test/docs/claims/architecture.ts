import type { Claims } from './claim.ts'

export const claims: Claims = {
  'They cannot fail a run':
    'test/memory/memory.int.test.ts › fails no run with a broken model or a store that cannot write',
  'a worker that lost its run cannot append to it':
    'src/storage/stores.int.test.ts › refuses a worker that has lost its run, while others may still append',
}
