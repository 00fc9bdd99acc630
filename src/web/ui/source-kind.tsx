import { Database, FileText, Globe, Mail, Plug, Puzzle, Sigma, type LucideIcon } from 'lucide-react'
import type { Source } from '../../client/run.ts'
import { useWords } from '../locales/words.tsx'

export const SOURCE_ICONS: Readonly<Record<Source['kind'], LucideIcon>> = {
  database: Database,
  api: Plug,
  computation: Sigma,
  document: FileText,
  mail: Mail,
  web: Globe,
  mcp: Puzzle,
}

const FROM_OUTSIDE = new Set<Source['kind']>(['document', 'api', 'mail', 'web', 'mcp'])

/** Whether content of this kind may be written by untrusted authors. */
export function isFromOutside(kind: Source['kind']): boolean {
  return FROM_OUTSIDE.has(kind)
}

/** Whether strangers may have written the content of a source. */
export function OriginBadge({ kind }: { kind: Source['kind'] }) {
  const { words } = useWords()
  const isOutside = isFromOutside(kind)
  return (
    <span className={`badge ${isOutside ? 'tone-taint' : 'tone-ok'}`}>
      {isOutside ? words.answer.untrusted : words.answer.yourData}
    </span>
  )
}
