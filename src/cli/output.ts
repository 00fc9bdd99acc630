import type { Environment } from '../setup/environment.ts'
import { createStyle, type Style } from './render/style.ts'

/** One of the two streams a command writes to. */
export interface Output {
  readonly isTty: boolean
  /** Whether lines may be drawn over: a terminal, and not the log of a build server. */
  readonly isLive: boolean
  readonly style: Style
  /** Columns now; `Infinity` when it is no terminal. */
  width(): number
  write(text: string): void
  line(text?: string): void
}

/** The part of `process.stdout` that is used. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(count?: number, env?: object): boolean
  write(text: string): boolean
}

/** Colours follow `NO_COLOR`, `FORCE_COLOR` and `TERM`, as Node.js reads them. */
export function createOutput(stream: OutputStream, env: Environment): Output {
  const isTty = stream.isTTY === true
  return {
    isTty,
    isLive: isTty && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '',
    style: createStyle(isTty && (env['NO_COLOR'] ?? '') === '' && stream.hasColors?.(16, env) === true),
    width: () => (isTty ? Math.max(20, stream.columns ?? 80) : Infinity),
    write: (text) => void stream.write(text),
    line: (text = '') => void stream.write(`${text}\n`),
  }
}
