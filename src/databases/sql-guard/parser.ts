import { TuttiError } from '../../domain/errors.ts'
import { Helper } from '../../processes/helper.ts'
import type { End } from '../../processes/runner.ts'
import { startThread } from '../../processes/thread.ts'
import type { Dialect } from '../schema.ts'
import type { ParseOutcome, ParserName } from './parser-worker.ts'

export interface Parser {
  parse(sql: string, dialect: Dialect): Promise<ParseOutcome>
  close(): Promise<void>
}

export interface ParserOptions {
  readonly package: ParserName
  /** Milliseconds a parse may take; loading the parser is not counted. */
  readonly timeoutMs?: number
  /** After this many queries the parser is replaced, so that slow leaks in WebAssembly memory cannot add up. */
  readonly maxUses?: number
}

/**
 * A parser in a separate thread that is discarded after a failure, a time-out or `maxUses` queries (sqlparser answers
 * every query wrongly after one that was too deep). Queries are parsed one at a time, in order.
 */
export function createParser({ package: name, timeoutMs = 10_000, maxUses = 1000 }: ParserOptions): Parser {
  const noStart = (why: string): Error =>
    new TuttiError('ConfigurationError', `The SQL parser ${name} did not start: ${why}. Reinstall Tutti.`)
  const lost = ({ kind, how }: End): Error =>
    new Error(kind === 'late' ? `parsing took longer than ${timeoutMs} ms` : how)
  const helper = new Helper({
    name: 'the SQL guard',
    order: name,
    lost,
    start: (on) => startThread(new URL('./parser-worker.ts', import.meta.url), on),
  })
  let last: Promise<unknown> = Promise.resolve()
  let uses = 0

  const run = async (sql: string, dialect: Dialect): Promise<ParseOutcome> => {
    await helper.ready(noStart)
    const outcome = await helper
      .call<ParseOutcome>({ sql, dialect }, { timeoutMs })
      .catch((error: Error): ParseOutcome => ({ kind: 'crash', message: error.message }))
    uses += 1
    if (outcome.kind === 'crash' || uses >= maxUses) {
      uses = 0
      await helper.kill()
    }
    return outcome
  }

  return {
    parse(sql, dialect) {
      const outcome = last.then(() => run(sql, dialect))
      last = outcome.catch(() => undefined) // the caller gets the error; the queue only waits for the end
      return outcome
    },
    close: () => helper.close(),
  }
}
