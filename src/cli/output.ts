import type { Environment } from '../app/config/environment.ts'
import { createStyle } from './render/style.ts'

/** One of the two streams a command writes to. */
export type Output = ReturnType<typeof createOutput>

/** The part of `process.stdout` that is used. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(count?: number, env?: object): boolean
  write(text: string): boolean
}

/**
 * Colours follow `NO_COLOR`, `FORCE_COLOR` and `TERM`, as in Node.js. `COLUMNS` overrides the size reported by the
 * terminal.
 */
export function createOutput(stream: OutputStream, env: Environment) {
  const isTty = stream.isTTY === true
  const columns = (): number => Number(env['COLUMNS']) || (stream.columns ?? 80)
  const write = (text: string): void => void stream.write(text)
  return {
    isTty,
    style: createStyle(isTty && (env['NO_COLOR'] ?? '') === '' && stream.hasColors?.(16, env) === true),
    /** Columns now; `Infinity` when it is no terminal. */
    width: (): number => (isTty ? Math.max(20, columns()) : Infinity),
    /** As it is: JSON, scripts, what a program printed. */
    write,
    /** Lines for people. */
    line: (text = ''): void => write(`${text}\n`),
  }
}
