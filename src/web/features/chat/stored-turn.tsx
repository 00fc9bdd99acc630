import { useCallback } from 'react'
import { useRun, type Followed } from '../../run/use-run.ts'
import type { Again } from './actions.tsx'
import type { Question } from './question-options.ts'
import type { StoredTurn } from './conversation.ts'
import { sameOptions, Turn } from './turn.tsx'

interface StoredTurnProps extends Omit<StoredTurn, 'question' | 'turn'> {
  readonly question: string | undefined
  readonly turn: number | undefined
  readonly versions: string[] | undefined
  /** For the last turn, whose run is already followed. */
  readonly live: Followed | undefined
  readonly openSource: number | undefined
  readonly showSource: (runId: string, source: number) => void
  readonly showPlan: () => void
  /** Absent if the user may only read. */
  readonly ask: ((question: Question & { readonly turn?: number }) => void) | undefined
}

/** A turn of a conversation. Follows its run while it is active. */
export default function StoredTurn({
  runId,
  question,
  turn,
  isStored,
  versions,
  live,
  openSource,
  ...given
}: StoredTurnProps) {
  const { showSource, showPlan, ask } = given
  const own = useRun(live === undefined ? runId : undefined)
  const { view, error } = live ?? own
  const asked = question ?? view?.state.request.question ?? ''
  const show = useCallback((source: number) => showSource(runId, source), [showSource, runId])
  const isOver = view?.isOver === true
  // An edited question becomes a new version of its turn, if that turn is stored. A turn without an answer has no
  // versions.
  const askOtherwise = (change: Pick<Question, 'question' | 'strategy' | 'models'>): void =>
    ask?.({ ...(view === undefined ? {} : sameOptions(view)), ...change, ...(turn === undefined ? {} : { turn }) })
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
      error={error}
      openSource={openSource}
      showSource={show}
      showPlan={showPlan}
      again={isStored ? again : undefined}
      edit={isOver && isStored && ask !== undefined ? (words) => askOtherwise({ question: words }) : undefined}
      versions={versions}
    />
  )
}
