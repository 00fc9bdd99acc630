/** What people can be given to work with. */
export const SOURCE_KINDS = ['database', 'api', 'mcp', 'mailbox', 'collection'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** A source by its kind and the name that the installation gives it, such as `database:shop`. */
export type SourceName = `${SourceKind}:${string}`

/** The mailbox of the configuration. */
export const MAILBOX: SourceName = 'mailbox:main'

/** Whether a text is the name of a source. */
export function isSourceName(text: string): text is SourceName {
  const [kind = '', ...name] = text.split(':')
  return SOURCE_KINDS.some((one) => one === kind) && name.join(':').trim() !== ''
}

/** Whether somebody may use a source; absent where nobody has to be given anything. */
export type IsSourceAllowed = (source: SourceName) => boolean

/** What a run that is limited to these may use; all where it is not. */
export function allowedSources(sources: readonly SourceName[] | undefined): IsSourceAllowed {
  if (sources === undefined) return () => true
  const given = new Set(sources)
  return (source) => given.has(source)
}
