import { TuttiError } from '../../domain/errors.ts'
import { startChild } from '../../processes/child.ts'
import { Helper } from '../../processes/helper.ts'
import type { StorePlace } from './store-worker.ts'

/** What PostgreSQL's client and TLS read; nothing else of the parent's environment concerns the store. */
const VARIABLES = /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i

/** A process that works on a store. Calls throw TuttiError: what the store reports, or `StorageError` when it dies. */
export function storeProcess(place: StorePlace): Helper {
  return new Helper({
    name: 'The knowledge store',
    // Never on the command line, which others can read.
    order: place,
    start: (on) =>
      startChild(new URL('./store-worker.ts', import.meta.url), on, {
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => VARIABLES.test(name))),
        serialization: 'advanced',
      }),
    lost: ({ how, stderr }) =>
      new TuttiError('StorageError', `The process of the knowledge store ended (${how}); try again.`, {
        retryable: true,
        cause: stderr,
      }),
  })
}
