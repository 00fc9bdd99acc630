import type { IngestProgress } from '../../documents/types.ts'
import type { Output } from '../output.ts'
import { safeLine } from './text.ts'

/**
 * Returns a function that prints which documents were added.
 * @param isBrief if true, failures and unchanged files have no line
 */
export function ingestPrinter(err: Output, isBrief = false): (progress: IngestProgress) => void {
  const { style } = err
  return ({ name, stage, error }) => {
    if (stage === 'done') err.line(`${style.green('✓')} ${safeLine(name)}`)
    if (isBrief) return
    if (stage === 'unchanged') err.line(`${style.dim('=')} ${safeLine(name)} has not changed`)
    if (stage === 'failed') err.line(`${style.red('✗')} ${safeLine(error ?? name)}`)
  }
}
