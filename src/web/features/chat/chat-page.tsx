import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { PanelRight } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../../client/api.ts'
import { useMayChange } from '../../app/session.ts'
import { stepsOf } from '../../run/steps.ts'
import { useRun, type Followed } from '../../run/use-run.ts'
import { TopBar } from '../../ui/top-bar.tsx'
import { Loading, Trouble } from '../../ui/states.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { useWords } from '../../words/words.tsx'
import { ConversationMenu } from '../conversations/conversation-menu.tsx'
import type { PanelState } from '../run/run-panel.tsx'
import type { Again } from './actions.tsx'
import type { Question } from './asking.ts'
import { Composer } from './composer.tsx'
import { turnsOf, useConversation, useWhole, versionsAt, type Kept } from './conversation.ts'
import { EmptyChat, RulesBadge } from './empty-chat.tsx'
import { Scroller } from './scroller.tsx'
import { sameAs, Turn } from './turn.tsx'

const RunPanel = lazy(async () => ({ default: (await import('../run/run-panel.tsx')).RunPanel }))

interface Asked {
  readonly runId: string
  readonly conversationId: string
}

/** A conversation: its turns, the composer, and beside them what the latest one that was looked at rests on. */
export function ChatPage() {
  const { words } = useWords()
  const { conversationId } = useParams({ strict: false })
  const { run: latest, q } = useSearch({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data, error } = useConversation(conversationId)
  const { data: parent } = useConversation(data?.branchOf)
  const whole = useWhole(data)
  const runs = useMemo(() => turnsOf(data, latest), [data, latest])
  const [panel, setPanel] = useState<{ runId: string; state: PanelState } | undefined>()
  const [draft, setDraft] = useState('')
  const live = useRun(runs.at(-1)?.runId)
  const isRunning = live.view?.isOver === false
  const isOver = live.view?.isOver === true
  const lastRun = runs.at(-1)?.runId
  // What is beside the answers goes on with the newest one.
  useEffect(() => {
    if (lastRun !== undefined)
      setPanel((open) => (open === undefined ? open : { runId: lastRun, state: { tab: open.state.tab } }))
  }, [lastRun])
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ queryKey: ['conversations'] })
  }, [isOver, client])
  const ask = useMutation({
    mutationFn: ({ turn, ...question }: Partial<Question> & { readonly turn?: number }) => {
      if (turn === undefined) {
        return api.post<Asked>('/runs', { ...question, ...(conversationId === undefined ? {} : { conversationId }) })
      }
      // Where the conversation itself parts from another at this turn, that one parts once more.
      const from = data?.branchTurn === turn ? data.branchOf! : conversationId!
      return api.post<Asked>(`/conversations/${encodeURIComponent(from)}/branches`, { turn, ...question })
    },
    // What was not taken is still the person's to send.
    onError: (_error, { question = '' }) => setDraft(question),
    onSuccess: async (asked) => {
      await navigate({
        to: '/c/$conversationId',
        params: { conversationId: asked.conversationId },
        search: { run: asked.runId },
      })
      // It stands under the recent ones from now on, whatever it waits for.
      await client.invalidateQueries({ queryKey: ['conversations'] })
    },
  })
  const stop = useMutation({ mutationFn: (runId: string) => api.post(`/runs/${encodeURIComponent(runId)}/cancel`) })
  const mayAsk = useMayChange()
  const composer = (placeholder: string) =>
    !mayAsk ? (
      <p className="banner tone-info">{words.session.readOnly}</p>
    ) : (
      <Composer
        placeholder={placeholder}
        draft={draft === '' ? (q ?? '') : draft}
        isRunning={isRunning}
        isWaiting={live.view?.status === 'waiting'}
        ask={(question) => {
          setDraft('')
          ask.mutate(question)
        }}
        stop={() => stop.mutate(runs.at(-1)!.runId)}
      />
    )
  const liveOf = (runId: string): Followed | undefined => (runId === runs.at(-1)?.runId ? live : undefined)
  const opener = useRef<Element | null>(null)
  const showSource = useCallback((runId: string, source: number) => {
    opener.current = document.activeElement
    setPanel({ runId, state: { tab: 'sources', source } })
  }, [])
  if (conversationId === undefined) {
    return (
      <>
        <TopBar title={words.nav.newChat}>
          <RulesBadge />
        </TopBar>
        <EmptyChat composer={composer(words.empty.placeholder)} suggest={setDraft} error={ask.error} />
      </>
    )
  }
  return (
    <div
      className={`grid min-h-0 flex-1 ${panel === undefined ? '' : panel.state.tab === 'sources' ? 'lg:grid-cols-[minmax(0,1fr)_minmax(360px,600px)]' : 'lg:grid-cols-[minmax(0,1fr)_minmax(360px,488px)]'}`}
    >
      <div className="flex min-h-0 min-w-0 flex-col">
        <TopBar title={data?.title ?? runs[0]?.question ?? live.view?.state.request.question ?? ''}>
          <RulesBadge />
          <span className="ml-auto" />
          {data === undefined || whole === undefined ? null : (
            <ConversationMenu
              conversation={whole}
              shownId={data.conversationId}
              isSaid={data.messages.length > 0}
              isOpen
            />
          )}
          {panel === undefined && runs.length > 0 ? (
            <button
              type="button"
              className="btn btn-ghost btn-icon btn-sm"
              aria-label={words.panel.open}
              title={words.panel.open}
              onClick={() => setPanel({ runId: runs.at(-1)!.runId, state: { tab: 'plan' } })}
            >
              <PanelRight size={16} aria-hidden />
            </button>
          ) : null}
        </TopBar>
        <Scroller turns={runs.length} follow={(live.view?.text.length ?? 0) + (live.view?.state.jobs.size ?? 0)}>
          {error === null || latest !== undefined ? null : <Trouble error={error} isInText />}
          {runs.map(({ runId, question, turn, isKept }) => (
            <KeptTurn
              key={runId}
              runId={runId}
              question={question}
              turn={turn}
              versions={versionsAt(turn, data, parent)}
              live={liveOf(runId)}
              showPlan={() => setPanel({ runId, state: { tab: 'plan' } })}
              openSource={panel?.runId === runId ? panel.state.source : undefined}
              showSource={showSource}
              isKept={isKept}
              ask={mayAsk ? ask.mutate : undefined}
            />
          ))}
          {ask.error === null ? null : <Trouble error={ask.error} isInText />}
        </Scroller>
        <div className="mx-auto w-full max-w-170 flex-none px-4 pb-4">{composer(words.composer.followUp)}</div>
      </div>
      {panel === undefined ? null : (
        <Beside
          {...panel}
          live={liveOf(panel.runId)}
          change={(state) => setPanel({ ...panel, state })}
          close={() => {
            setPanel(undefined)
            if (panel.state.tab === 'sources' && opener.current instanceof HTMLElement) opener.current.focus()
          }}
        />
      )}
    </div>
  )
}

interface KeptTurnProps extends Omit<Kept, 'question' | 'turn'> {
  readonly question: string | undefined
  readonly turn: number | undefined
  readonly versions: string[] | undefined
  /** Of the last turn, which is followed already. */
  readonly live: Followed | undefined
  readonly openSource: number | undefined
  readonly showSource: (runId: string, source: number) => void
  readonly showPlan: () => void
  /** Absent where the person may only read. */
  readonly ask: ((question: Question & { readonly turn?: number }) => void) | undefined
}

function KeptTurn({ runId, question, turn, isKept, versions, live, openSource, ...given }: KeptTurnProps) {
  const { showSource, showPlan, ask } = given
  const own = useRun(live === undefined ? runId : undefined)
  const { view, trouble } = live ?? own
  const asked = question ?? view?.state.request.question ?? ''
  const show = useCallback((source: number) => showSource(runId, source), [showSource, runId])
  const isOver = view?.isOver === true
  // Beside what was asked before, where that is kept; a turn without an answer is none.
  const askOtherwise = (change: Pick<Question, 'question' | 'strategy' | 'models'>): void =>
    ask?.({ ...(view === undefined ? {} : sameAs(view)), ...change, ...(turn === undefined ? {} : { turn }) })
  const again = ({ strategy, model }: Again): void =>
    askOtherwise({
      question: asked,
      ...(strategy === undefined ? {} : { strategy }),
      ...(model === undefined ? {} : { models: { default: model } }),
    })
  return (
    <Turn
      question={asked}
      view={view}
      trouble={trouble}
      openSource={openSource}
      showSource={show}
      showPlan={showPlan}
      again={isKept ? again : undefined}
      edit={isOver && isKept && ask !== undefined ? (words) => askOtherwise({ question: words }) : undefined}
      versions={versions}
    />
  )
}

interface BesideProps {
  readonly runId: string
  readonly live: Followed | undefined
  readonly state: PanelState
  readonly change: (state: PanelState) => void
  readonly close: () => void
}

/** Plan, trace and sources of one turn; on a narrow screen in front of the conversation. */
function Beside({ runId, live, ...panel }: BesideProps) {
  const { words } = useWords()
  const own = useRun(live === undefined ? runId : undefined)
  const { view } = live ?? own
  const steps = useMemo(() => (view === undefined ? [] : stepsOf(view)), [view])
  useKeys(panel.state.tab === 'sources' ? { escape: panel.close } : {})
  return (
    <aside
      aria-label={words.panel.open}
      className="fixed inset-0 z-20 min-h-0 border-line bg-surface lg:static lg:border-l"
    >
      <Suspense fallback={<Loading lines={8} />}>
        {view === undefined ? null : <RunPanel view={view} steps={steps} {...panel} />}
      </Suspense>
    </aside>
  )
}
