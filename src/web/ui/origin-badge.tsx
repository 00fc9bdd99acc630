import type { Source } from '../../client/run.ts'
import { useWords } from '../locales/words.tsx'
import { isFromOutside } from './source-kind.ts'

/** Whether strangers may have written what a source says. */
export function OriginBadge({ kind }: { kind: Source['kind'] }) {
  const { words } = useWords()
  return isFromOutside(kind) ? (
    <span className="badge tone-taint">{words.answer.untrusted}</span>
  ) : (
    <span className="badge tone-ok">{words.answer.yourData}</span>
  )
}
