import type { Environment } from '../app/config/environment.ts'
import { createStyle, type Style } from './render/style.ts'
import { truncateToWidth } from './render/text.ts'
import { wrap } from './render/wrap.ts'

/** One of the two streams a command writes to. */
export interface Output {
  readonly isTty: boolean
  /** Whether lines may be drawn over: a terminal, and not the log of a build server. */
  readonly isLive: boolean
  readonly style: Style
  /** Columns now; `Infinity` when it is no terminal. */
  width(): number
  /** Columns for help, which is wrapped everywhere. */
  helpWidth(): number
  /** As it is: JSON, scripts, what a program printed. */
  write(text: string): void
  /** Lines for people, wrapped on a terminal. */
  line(text?: string): void
  /** A temporary line, replaced by the next output or cleared by an empty text. Does nothing if `isLive` is false. */
  draw(text: string): void
}

/** The part of `process.stdout` that is used. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(count?: number, env?: object): boolean
  write(text: string): boolean
}

/** Help in wider lines is hard to read. */
const MAX_HELP_COLUMNS = 100

/**
 * Colours follow `NO_COLOR`, `FORCE_COLOR` and `TERM`, as in Node.js. `COLUMNS` overrides the size reported by the
 * terminal.
 */
export function createOutput(stream: OutputStream, env: Environment): Output {
  const isTty = stream.isTTY === true
  const named = Number(env['COLUMNS']) || undefined
  const columns = (usual: number): number => Math.max(20, named ?? stream.columns ?? usual)
  const width = (): number => (isTty ? columns(80) : Infinity)
  const isLive = isTty && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === ''
  let isDrawn = false
  const draw = (text: string): void => {
    if (!isLive || (text === '' && !isDrawn)) return
    // One column is left free: a full line would wrap, and could not be drawn over.
    stream.write(`\r\u001B[2K${truncateToWidth(text, width() - 1)}`)
    isDrawn = text !== ''
  }
  const write = (text: string): void => {
    draw('')
    stream.write(text)
  }
  return {
    isTty,
    isLive,
    style: createStyle(isTty && (env['NO_COLOR'] ?? '') === '' && stream.hasColors?.(16, env) === true),
    width,
    helpWidth: () => Math.min(columns(MAX_HELP_COLUMNS), MAX_HELP_COLUMNS),
    write,
    line: (text = '') => write(`${wrap(text, width())}\n`),
    draw,
  }
}
