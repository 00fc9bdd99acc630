import type { IngestProgress } from '../../documents/types.ts'
import type { Output } from '../output.ts'
import { safeLine } from './text.ts'

/** Shows on standard error how documents are added: a bar that is drawn over on a terminal, plain lines elsewhere. */
export interface IngestView {
  take(this: void, progress: IngestProgress): void
  stop(): void
}

const BAR_COLUMNS = 20

/** @param count total number of files; absent if unknown */
export function createIngestView(err: Output, count?: number): IngestView {
  let settled = 0
  return {
    take(progress) {
      const line = lineOf(progress, err)
      if (line !== undefined) {
        settled++
        err.line(line)
      }
      const share =
        progress.stage === 'embedding' ? (progress.done ?? 0) : count === undefined ? undefined : settled / count
      const what = safeLine(`${WORDS[progress.stage]} ${progress.name}`)
      err.draw(`${share === undefined ? '' : `${bar(share)} `}${what}`)
    },
    stop: () => err.draw(''),
  }
}

const WORDS: Readonly<Record<IngestProgress['stage'], string>> = {
  reading: 'reading',
  parsing: 'parsing',
  chunking: 'splitting',
  describing: 'describing',
  storing: 'storing',
  embedding: 'making vectors of',
  done: 'added',
  unchanged: 'unchanged:',
  removed: 'removed',
  skipped: 'skipped:',
  failed: 'failed:',
}

/** What stays on screen; other stages are only passed through. */
function lineOf({ name, stage, error }: IngestProgress, { style }: Output): string | undefined {
  if (stage === 'done') return `${style.green('✓')} ${safeLine(name)}`
  if (stage === 'unchanged') return `${style.dim('=')} ${safeLine(name)} has not changed`
  if (stage === 'removed') return `${style.yellow('-')} ${safeLine(name)} was removed`
  if (stage === 'skipped') return `${style.yellow('-')} skipped: ${safeLine(error ?? name)}`
  return stage === 'failed' ? `${style.red('✗')} ${safeLine(error ?? name)}` : undefined
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_COLUMNS)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)} ${Math.round(share * 100)} %`
}
