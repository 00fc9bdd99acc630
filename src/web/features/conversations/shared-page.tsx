import { useParams } from '@tanstack/react-router'
import { Link2Off } from 'lucide-react'
import { Fragment, useCallback } from 'react'
import { ApiError } from '../../../client/api.ts'
import type { Operations } from '../../../client/api-types.ts'
import { useGet } from '../../app/data.ts'
import { Logo } from '../../ui/logo.tsx'
import { Fetched } from '../../ui/page.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { isFromOutside, SOURCE_ICONS } from '../../ui/source-kind.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useWords } from '../../locales/words.tsx'
import { Words } from '../chat/markdown.tsx'
import { UserText } from '../chat/user-text.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'

const ChartCard = lazyComponent(() => import('../chat/chart-card.tsx'), <Loading />)
const ResultTable = lazyComponent(() => import('../chat/result-table.tsx'), <Loading />)

type Shared = Operations['GET /shared/{token}']['answer']
type Message = Shared['messages'][number]
type Source = Message['sources'][number]

/** A shared conversation, readable with its link, signed in or not. Loads nothing from other hosts. */
export default function SharedPage() {
  const { words } = useWords()
  const { token = '' } = useParams({ strict: false })
  const shared = useGet<Shared>(`/shared/${encodeURIComponent(token)}`)
  const isNowhere = shared.error instanceof ApiError && shared.error.status === 404
  return (
    <main id="content" className="flex h-dvh flex-col">
      <TopBar
        title={
          <span className="flex items-center gap-2">
            <Logo />
            <span className="cut">{shared.data?.title ?? words.app.name}</span>
          </span>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
        <div className="mx-auto flex w-full max-w-170 flex-col gap-6 px-4 py-6">
          {isNowhere ? (
            <Empty icon={Link2Off} title={words.shared.none}>
              {words.shared.noneHint}
            </Empty>
          ) : (
            <Fetched query={shared}>{(reply) => <SharedConversation shared={reply} />}</Fetched>
          )}
        </div>
      </div>
    </main>
  )
}

function SharedConversation({ shared: { sharedAt, expiresAt, messages } }: { shared: Shared }) {
  const { words, formats } = useWords()
  return (
    <>
      <p className="text-13 text-text-2">
        {words.shared.lead({ at: formats.date(Date.parse(sharedAt)) })}{' '}
        {expiresAt === undefined ? null : words.shared.until({ at: formats.date(Date.parse(expiresAt)) })}
      </p>
      {messages.map((message, at) =>
        message.role === 'user' ? <UserText key={at} text={message.text} /> : <Answered key={at} message={message} />,
      )}
    </>
  )
}

function Answered({
  message: { turn, text, format, author, data, charts = [], replies = [], sources },
}: {
  message: Message
}) {
  const { words } = useWords()
  const mark = useCallback(
    (n: number) => {
      const source = sources.find((one) => one.n === n)
      return source === undefined ? undefined : (
        <a
          className="cite"
          href={`#${idOf(turn, n)}`}
          aria-label={`${words.answer.sources} ${n}: ${source.title}`}
          title={source.title}
        >
          {n}
        </a>
      )
    },
    [turn, sources, words],
  )
  return (
    <article className="flex flex-col gap-4 border-b border-line pb-6 last:border-b-0">
      {author === 'outside' ? (
        <p className="flex flex-wrap items-center gap-2 text-12 text-text-2">
          <span className="badge tone-taint">{words.answer.untrusted}</span>
          {words.shared.outside}
        </p>
      ) : null}
      {replies.map(({ question, reply }, at) => (
        <Fragment key={at}>
          <p className="text-15 whitespace-pre-wrap wrap-anywhere">{showInvisible(question)}</p>
          {reply === undefined ? null : <UserText text={showInvisible(reply)} />}
        </Fragment>
      ))}
      <Words text={text} format={format} mark={mark} />
      {charts.map((chart) => (
        <ChartCard key={chart.title} chart={chart} />
      ))}
      {data === undefined ? null : <ResultTable table={data} />}
      {sources.length === 0 ? null : (
        <div>
          <h2 className="label mb-1">{words.answer.sources}</h2>
          <ul className="card overflow-hidden">
            {sources.map((source, at) => (
              <From key={at} source={source} id={source.n === undefined ? undefined : idOf(turn, source.n)} />
            ))}
          </ul>
        </div>
      )}
    </article>
  )
}

function From({ source: { n, kind, title }, id }: { source: Source; id: string | undefined }) {
  const { words } = useWords()
  const Icon = SOURCE_ICONS[kind]
  return (
    <li id={id} className="line target:bg-accent-soft">
      {n === undefined ? (
        <Icon size={14} aria-hidden className="flex-none text-text-3" />
      ) : (
        <b className="cite m-0">{n}</b>
      )}
      <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
      {isFromOutside(kind) ? <span className="badge tone-taint">{words.answer.untrusted}</span> : null}
    </li>
  )
}

/** Element ID of a source, which citation marks link to. */
function idOf(turn: number, n: number): string {
  return `source-${turn}-${n}`
}
