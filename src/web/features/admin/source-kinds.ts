import { Database, FolderOpen, Mail, Plug, Puzzle, type LucideIcon } from 'lucide-react'
import { useWords } from '../../locales/words.tsx'

const ICONS: Readonly<Record<string, LucideIcon>> = {
  database: Database,
  collection: FolderOpen,
  api: Plug,
  mcp: Puzzle,
  mailbox: Mail,
}

export const KINDS = ['data', 'documents', 'tools'] as const

/** The group in which a source is listed. */
export function sourceKind(source: string): (typeof KINDS)[number] {
  const [kind] = source.split(':')
  return kind === 'database' ? 'data' : kind === 'collection' ? 'documents' : 'tools'
}

export function iconOf(source: string): LucideIcon {
  return ICONS[source.split(':')[0] ?? ''] ?? Plug
}

/** Display name of a source, without its kind. The mailbox of the installation has no name. */
export function useSourceName(): (source: string) => string {
  const { words } = useWords()
  return (source) => {
    const [kind = '', ...rest] = source.split(':')
    return source === 'mailbox:main' ? words.access.mainMailbox : rest.join(':') || kind
  }
}
