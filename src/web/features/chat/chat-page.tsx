import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { PanelRight } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../../client/api.ts'
import { isNotFound, Forbidden } from '../../app/forbidden.tsx'
import { useRenew } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { openQuestionIn } from '../../run/steps.ts'
import { useRun, type Followed } from '../../run/use-run.ts'
import { TopBar } from '../../ui/top-bar.tsx'
import { Loading, LoadError, ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { ConversationMenu } from '../conversations/conversation-menu.tsx'
import type { Question } from './question-options.ts'
import { SidePanel, usePanelFocus, usePanel } from './side-panel.tsx'
import { Composer } from './composer.tsx'
import { conversationTurns, useConversation, useFullConversation, versionsAt } from './conversation.ts'
import { EmptyChat, RulesBadge } from './empty-chat.tsx'
import { OfferContext } from './offered-question.tsx'
import { answerQuestion } from './question-card.tsx'
import { Scroller } from './scroller.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { IconButton, LinkButton } from '../../ui/button.tsx'

/** Loaded lazily: not needed before the first question. */
const StoredTurn = lazyComponent(() => import('./stored-turn.tsx'))

interface Asked {
  readonly runId: string
  readonly conversationId: string
}

interface Place {
  /** The turn that it replaces; absent for a new turn. */
  readonly turn?: number
  /** Typed in the composer. */
  readonly isTyped?: true
}

/** A conversation: its turns, the composer, and a side panel for the turn last selected. */
export function ChatPage() {
  const { words } = useWords()
  const { conversationId } = useParams({ strict: false })
  const { run: latest, q } = useSearch({ strict: false })
  const [panel, setPanel] = usePanel()
  const navigate = useNavigate()
  const renewConversations = useRenew(['/conversations'])
  const { data, error } = useConversation(conversationId)
  const { data: parent } = useConversation(data?.branchOf)
  const whole = useFullConversation(data)
  const runs = useMemo(() => conversationTurns(data, latest), [data, latest])
  const place = conversationId ?? ''
  const [drafted, setDrafted] = useState({ place, text: '' })
  const setDraft = (text: string): void => setDrafted({ place, text })
  const draft = drafted.place === place ? drafted.text : ''
  const live = useRun(runs.at(-1)?.runId)
  const isRunning = live.view?.isOver === false
  // There is no conversation to continue.
  const isNone = error !== null && data === undefined && (latest === undefined || isNotFound(live.error))
  const isOver = live.view?.isOver === true
  const lastRun = runs.at(-1)?.runId
  const runBefore = useRef<string | undefined>(undefined)
  // The side panel follows the newest answer.
  useEffect(() => {
    const isNew = lastRun !== undefined && runBefore.current !== undefined && runBefore.current !== lastRun
    runBefore.current = lastRun
    if (isNew && panel !== undefined) setPanel({ runId: lastRun, state: { tab: panel.state.tab } })
  }, [lastRun])
  useEffect(() => {
    if (isOver) void renewConversations()
  }, [isOver])
  const ask = useMutation({
    mutationFn: ({ turn, isTyped: _isTyped, ...question }: Partial<Question> & Place) => {
      if (turn === undefined) {
        return api.post<Asked>('/runs', { ...question, ...(conversationId === undefined ? {} : { conversationId }) })
      }
      // If this conversation branches from another at this turn, branch from that one again.
      const from = data?.branchTurn === turn ? data.branchOf! : conversationId!
      return api.post<Asked>(`/conversations/${encodeURIComponent(from)}/branches`, { turn, ...question })
    },
    // Put a rejected question back. The composer restores its own.
    onError: (_error, { question = '', isTyped }) => (isTyped === true ? undefined : setDraft(question)),
    onSuccess: async (asked) => {
      // Only after the server answered: some browsers never retry code that failed to load.
      void StoredTurn.preload()
      await navigate({
        to: '/c/$conversationId',
        params: { conversationId: asked.conversationId },
        search: (now) => ({ ...now, q: undefined, run: asked.runId }),
      })
      // List it under the recent conversations at once, whatever its state.
      await renewConversations()
    },
  })
  const reply = useMutation({
    mutationFn: ({ approvalId, text }: { approvalId: string; text: string }) => answerQuestion(approvalId, text),
  })
  const stop = useMutation({ mutationFn: (runId: string) => api.post(`/runs/${encodeURIComponent(runId)}/cancel`) })
  const mayAsk = useMayChange()
  const openQuestion = live.view === undefined ? undefined : openQuestionIn(live.view)
  const composer = (placeholder: string) =>
    !mayAsk ? (
      <p className="banner tone-info">{words.session.readOnly}</p>
    ) : (
      <Composer
        key={place}
        place={place}
        placeholder={placeholder}
        draft={draft === '' ? (q ?? '') : draft}
        isRunning={isRunning}
        isWaiting={live.view?.status === 'waiting'}
        ask={(question) => {
          setDraft('')
          return ask.mutateAsync({ ...question, isTyped: true })
        }}
        reply={openQuestion === undefined ? undefined : (text) => reply.mutateAsync({ approvalId: openQuestion, text })}
        stop={() => stop.mutate(runs.at(-1)!.runId)}
      />
    )
  const liveOf = (runId: string): Followed | undefined => (runId === runs.at(-1)?.runId ? live : undefined)
  const coming = usePanelFocus()
  const showSource = useCallback(
    (runId: string, source: number) => {
      coming.opened(false)
      setPanel({ runId, state: { tab: 'sources', source } })
    },
    [setPanel, coming],
  )
  const showPlan = (runId: string): void => {
    coming.opened(true)
    setPanel({ runId, state: { tab: 'plan' } })
  }
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
      className={`grid min-h-0 flex-1 ${panel === undefined ? '' : panel.state.tab === 'sources' ? 'lg:grid-cols-[minmax(0,1fr)_minmax(360px,min(600px,50%))]' : 'lg:grid-cols-[minmax(0,1fr)_minmax(360px,min(488px,50%))]'}`}
    >
      <div className="flex min-h-0 min-w-0 flex-col">
        <TopBar title={data?.title ?? runs[0]?.question ?? live.view?.state.request.question ?? ''}>
          <RulesBadge />
          <span className="ml-auto" />
          {data === undefined || whole === undefined ? null : (
            <ConversationMenu
              conversation={whole}
              shownId={data.conversationId}
              hasMessages={data.messages.length > 0}
              isOpen
            />
          )}
          {panel === undefined && runs.length > 0 && !isNone ? (
            <IconButton
              icon={PanelRight}
              label={words.panel.open}
              data-opens
              onClick={() => showPlan(runs.at(-1)!.runId)}
            />
          ) : null}
        </TopBar>
        <Scroller turns={runs.length} follow={(live.view?.text.length ?? 0) + (live.view?.state.seq ?? 0)}>
          {!isNone ? null : isNotFound(error) ? (
            <Forbidden title={words.problem.noConversation} />
          ) : (
            <>
              <LoadError error={error} isInText>
                <Loading />
              </LoadError>
              <LinkButton label={words.nav.newChat} className="btn-primary self-start" to="/" />
            </>
          )}
          <OfferContext value={mayAsk ? setDraft : undefined}>
            <Suspense fallback={<Loading />}>
              {(isNone ? [] : runs).map(({ runId, question, turn, isStored }) => (
                <StoredTurn
                  key={runId}
                  runId={runId}
                  question={question}
                  turn={turn}
                  versions={versionsAt(turn, data, parent)}
                  live={liveOf(runId)}
                  showPlan={() => showPlan(runId)}
                  openSource={panel?.runId === runId ? panel.state.source : undefined}
                  showSource={showSource}
                  isStored={isStored}
                  ask={mayAsk ? ask.mutate : undefined}
                />
              ))}
            </Suspense>
          </OfferContext>
          <ErrorBanner error={ask.error ?? reply.error} isInText />
        </Scroller>
        {isNone ? null : (
          <div className="mx-auto w-full max-w-170 flex-none px-4 pb-4">{composer(words.composer.followUp)}</div>
        )}
      </div>
      {panel === undefined ? null : (
        <SidePanel
          {...panel}
          live={liveOf(panel.runId)}
          isWanted={coming.isWanted}
          change={(state) => setPanel({ ...panel, state })}
          close={() => {
            setPanel(undefined)
            coming.closed()
          }}
        />
      )}
    </div>
  )
}
