import { FileText } from 'lucide-react'
import { hasSheets } from '../../../client/run.ts'
import { useMemo } from 'react'
import type { RunView } from '../../run/run-log.ts'
import { sourceRows, citedSources, type ShownSource } from '../../run/sources.ts'
import { OriginBadge, SOURCE_ICONS } from '../../ui/source-kind.tsx'
import { Code, Query } from '../../ui/code.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'

const ResultTable = lazyComponent(() => import('../chat/result-table.tsx'), <Loading />)
const Opened = lazyComponent(
  async () => ({ default: (await import('../documents/document-view.tsx')).DocumentView }),
  <Loading lines={8} />,
)

interface SourcesProps {
  readonly view: RunView
  readonly open: number | undefined
  readonly select: (n: number) => void
}

/** The sources of an answer; the selected one is open. J and K move. */
export function Sources({ view, open, select }: SourcesProps) {
  const { words } = useWords()
  const sources = useMemo(() => citedSources(view), [view])
  const at = Math.max(
    0,
    sources.findIndex(({ id }) => id === open),
  )
  const move = (by: number): void => {
    const next = sources[at + by]
    if (next !== undefined) select(next.id)
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  const current = sources[at]
  if (current === undefined) return <Empty icon={FileText} title={words.panel.noSources} />
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        className="flex flex-none gap-2 border-b border-line p-3 max-sm:overflow-x-auto max-sm:*:flex-none sm:flex-wrap"
        role="group"
        aria-label={words.answer.sources}
      >
        {sources.map((source) => (
          <SourceChip key={source.id} shown={source} isOn={source.id === current.id} press={() => select(source.id)} />
        ))}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4" tabIndex={0}>
        <OpenedSource key={current.id} shown={current} view={view} />
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
  const Icon = SOURCE_ICONS[source.kind]
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={press}>
      {n === undefined ? <Icon size={14} aria-hidden /> : <span className="cite m-0">{n}</span>}
      <span className="cut">{source.name}</span>
      {source.passage?.page === undefined ? null : (
        <span className="text-text-3">
          {words.panel.page({ n: source.passage.page, isSheet: hasSheets(source.name) })}
        </span>
      )}
    </button>
  )
}

function OpenedSource({ shown, view }: { shown: ShownSource; view: RunView }) {
  const { source } = shown
  const rows = source.kind === 'database' ? sourceRows(view, shown) : undefined
  const Icon = SOURCE_ICONS[source.kind]
  return (
    <article className="flex flex-col gap-3">
      <header className="flex items-center gap-2">
        <Icon size={16} aria-hidden className="flex-none text-text-3" />
        <h2 className="min-w-0 flex-1 text-14 font-semibold wrap-anywhere">{source.name}</h2>
        <OriginBadge kind={source.kind} />
      </header>
      {source.passage?.section === undefined ? null : <p className="text-12 text-text-2">{source.passage.section}</p>}
      {source.passage === undefined ? (
        source.excerpt === undefined ? null : (
          <blockquote className="text-14">
            <mark className="passage">{source.excerpt}</mark>
          </blockquote>
        )
      ) : (
        <Opened
          documentId={source.passage.documentId}
          passage={source.passage}
          {...(source.excerpt === undefined ? {} : { excerpt: source.excerpt })}
          isBeside
        />
      )}
      {rows === undefined ? null : <ResultTable table={rows} first="table" />}
      {source.detail === undefined ? null : source.kind === 'database' ? (
        <Query sql={source.detail} database={source.name} />
      ) : (
        <Code text={source.detail} />
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
