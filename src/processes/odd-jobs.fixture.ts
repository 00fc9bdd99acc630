import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { TuttiError } from '../core/errors.ts'
import { serve } from './serve.ts'

/** What the tests of this folder ask of a thread or a process. */
export type OddJob =
  | { readonly do: 'echo'; readonly value: unknown }
  | { readonly do: 'order' | 'fail' | 'die' | 'spin' | 'count' | 'hog' | 'mumble' }

/** `refuse`: come up with an error; `mark`: a file that is written at the end. */
export interface OddOrder {
  readonly refuse?: string
  readonly mark?: string
}

let mark: string | undefined
serve(
  (order: OddOrder) => {
    if (order.refuse !== undefined) throw new TuttiError('ConfigurationError', order.refuse)
    mark = order.mark
    return async (job: OddJob, part) => {
      switch (job.do) {
        case 'echo':
          return job.value
        case 'order':
          return order
        case 'fail':
          throw new TuttiError('QueryError', 'No such thing.', { details: { code: '42P01' } })
        case 'count':
          for (let number = 1; number <= 3; number += 1) part(number)
          return 'counted'
        case 'die':
          if (isMainThread) console.error('last words')
          setImmediate(() => process.exit(3))
          return new Promise(() => undefined)
        case 'mumble':
          part('before')
          for (;;);
        case 'hog':
          for (const kept: number[][] = []; ;) kept.push(Array.from({ length: 1000 }, (_, at) => at))
        case 'spin':
          for (;;);
      }
    }
  },
  () => mark !== undefined && writeFileSync(mark, 'ended'),
)
