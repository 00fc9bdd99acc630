import { useQuery } from '@tanstack/react-query'
import { Database, FileText, Globe, Mail, Plug, Puzzle, Sigma, type LucideIcon } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { Source } from '../../../client/run.ts'
import { api } from '../../../client/api.ts'
import type { RunView } from '../../run/run-log.ts'
import { sourcesOf, type ShownSource } from '../../run/sources.ts'
import { Empty } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'

const ICONS: Readonly<Record<Source['kind'], LucideIcon>> = {
  database: Database,
  api: Plug,
  computation: Sigma,
  document: FileText,
  mail: Mail,
  web: Globe,
  mcp: Puzzle,
}

/** Kinds of places that strangers may have written. */
const FROM_OUTSIDE = new Set<Source['kind']>(['document', 'mail', 'web', 'mcp'])

/** What the marks of an answer stand for; the one that was pressed is open. */
export function Sources({
  view,
  open,
  select,
}: {
  view: RunView
  open: number | undefined
  select: (n: number) => void
}) {
  const { words } = useWords()
  const sources = useMemo(() => sourcesOf(view), [view])
  if (sources.length === 0) return <Empty icon={FileText} title={words.panel.noSources} />
  const shown = sources.find(({ id }) => id === open) ?? sources[0]!
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        className="flex flex-none flex-wrap gap-2 border-b border-line p-3"
        role="group"
        aria-label={words.answer.sources}
      >
        {sources.map((source) => (
          <SourceChip key={source.id} shown={source} isOn={source.id === shown.id} press={() => select(source.id)} />
        ))}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4" tabIndex={0}>
        <Opened key={shown.id} shown={shown} />
      </div>
    </div>
  )
}

interface SourceChipProps {
  readonly shown: ShownSource
  readonly isOn?: boolean
  readonly press: () => void
}

export function SourceChip({ shown: { n, source }, isOn = false, press }: SourceChipProps) {
  const { words } = useWords()
  const Icon = ICONS[source.kind]
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={press}>
      {n === undefined ? <Icon size={14} aria-hidden /> : <span className="cite m-0">{n}</span>}
      <span className="cut">{source.name}</span>
      {source.passage?.page === undefined ? null : (
        <span className="text-text-3">{words.panel.page(source.passage.page)}</span>
      )}
    </button>
  )
}

function Opened({ shown: { source } }: { shown: ShownSource }) {
  const { words } = useWords()
  const Icon = ICONS[source.kind]
  return (
    <article className="flex flex-col gap-3">
      <header className="flex items-center gap-2">
        <Icon size={16} aria-hidden className="flex-none text-text-3" />
        <h2 className="min-w-0 flex-1 text-14 font-semibold wrap-anywhere">{source.name}</h2>
        {FROM_OUTSIDE.has(source.kind) ? (
          <span className="badge tone-taint">{words.answer.untrusted}</span>
        ) : (
          <span className="badge tone-ok">{words.answer.yourData}</span>
        )}
      </header>
      {source.passage?.section === undefined ? null : <p className="text-12 text-text-2">{source.passage.section}</p>}
      {source.passage === undefined ? (
        source.excerpt === undefined ? null : (
          <blockquote className="text-14">
            <mark className="passage">{source.excerpt}</mark>
          </blockquote>
        )
      ) : (
        <PassageText source={source} passage={source.passage} />
      )}
      {source.detail === undefined ? null : (
        <pre className="code" tabIndex={0}>
          {source.detail}
        </pre>
      )}
      {source.url === undefined || !/^https?:/i.test(source.url) ? null : (
        <a
          className="text-13 text-accent-text wrap-anywhere"
          href={source.url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {source.url}
        </a>
      )}
    </article>
  )
}

interface PassageReply {
  readonly section?: string
  readonly text: string
  /** In characters of the text. */
  readonly mark: { readonly start: number; readonly end: number }
}

/** The page or section that a passage stands on, with the passage marked. */
function PassageText({ source, passage }: { source: Source; passage: NonNullable<Source['passage']> }) {
  const { words } = useWords()
  const { documentId, start, end } = passage
  const mark = useRef<HTMLElement>(null)
  const { data, error } = useQuery({
    queryKey: ['passage', documentId, start, end],
    queryFn: ({ signal }) =>
      api.get<PassageReply>(`/documents/${encodeURIComponent(documentId)}/passage?start=${start}&end=${end}`, signal),
    retry: false,
  })
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [data])
  if (error !== null) {
    return (
      <>
        <p className="banner tone-warn">{words.panel.passageGone}</p>
        <blockquote className="text-14 whitespace-pre-wrap">{source.excerpt}</blockquote>
      </>
    )
  }
  const { text = source.excerpt ?? '', mark: at = { start: 0, end: text.length } } = data ?? {}
  return (
    <div className="rounded-xl border border-line bg-surface p-4 text-14 whitespace-pre-wrap wrap-anywhere shadow-sm">
      {text.slice(0, at.start)}
      <mark ref={mark} className="passage">
        {text.slice(at.start, at.end)}
      </mark>
      {text.slice(at.end)}
    </div>
  )
}
