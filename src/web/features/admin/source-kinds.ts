import { Database, FolderOpen, Globe, Mail, Plug, Puzzle, type LucideIcon } from 'lucide-react'

const ICONS: Readonly<Record<string, LucideIcon>> = {
  database: Database,
  documents: FolderOpen,
  collection: FolderOpen,
  api: Plug,
  mcp: Puzzle,
  mailbox: Mail,
  web: Globe,
}

export const KINDS = ['data', 'documents', 'tools'] as const

/** With which others a source stands. */
export function kindOf(source: string): (typeof KINDS)[number] {
  const [kind] = source.split(':')
  return kind === 'database' ? 'data' : kind === 'collection' || kind === 'documents' ? 'documents' : 'tools'
}

export function iconOf(source: string): LucideIcon {
  return ICONS[source.split(':')[0] ?? ''] ?? Plug
}

/** A source without its kind. */
export function shortName(source: string): string {
  const [kind = '', ...rest] = source.split(':')
  return rest.join(':') || kind
}
