/** Kinds of sources that can be granted to users. */
export const SOURCE_KINDS = ['database', 'api', 'mcp', 'mailbox', 'collection'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** A source by its kind and its name in the installation, such as `database:shop`. */
export type SourceName = `${SourceKind}:${string}`

/** The mailbox of the configuration. */
export const MAILBOX: SourceName = 'mailbox:main'

/** Whether a text is the name of a source. */
export function isSourceName(text: string): text is SourceName {
  const [kind = '', ...name] = text.split(':')
  return SOURCE_KINDS.some((one) => one === kind) && name.join(':').trim() !== ''
}

/** Whether a user may use a source; absent where no grants are needed. */
export type IsSourceAllowed = (source: SourceName) => boolean

/** The sources that a run restricted to this list may use; all without a list. */
export function allowedSources(sources: readonly SourceName[] | undefined): IsSourceAllowed {
  if (sources === undefined) return () => true
  const uniqueSources = new Set(sources)
  return (source) => uniqueSources.has(source)
}
