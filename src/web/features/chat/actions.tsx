import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ChevronDown, FlaskConical, ListTree, Play, RefreshCw, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { retryableJob } from '../../../client/run.ts'
import { useMayChange } from '../../app/session.ts'
import type { RunView } from '../../run/run-log.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadingMark, ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES } from './question-options.ts'
import { useAbout } from './use-agents.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'

/** Changes for asking a question again. */
export interface Again {
  readonly strategy?: string
  readonly model?: string
}

const MakeTest = lazyComponent(() => import('./make-test.tsx'), <LoadingMark />)

/** What can be done with an answer. */
export function Actions({ view, again }: { view: RunView; again: ((how: Again) => void) | undefined }) {
  const { words } = useWords()
  const [isTest, setTest] = useState(false)
  const mayAsk = useMayChange()
  const isItsPage = useParams({ strict: false }).runId === view.state.runId
  return (
    <>
      {mayAsk ? <ContinueRun view={view} /> : null}
      {view.text === '' ? null : (
        <CopyButton text={view.text} label={words.answer.copy}>
          {words.answer.copy}
        </CopyButton>
      )}
      {mayAsk && again !== undefined ? <AgainMenu strategy={view.state.request.strategy} again={again} /> : null}
      {isItsPage ? null : (
        <LinkButton
          label={words.answer.openRun}
          icon={ListTree}
          className="btn-ghost btn-sm"
          to="/runs/$runId"
          params={{ runId: view.state.runId }}
        />
      )}
      {mayAsk ? (
        <Button
          label={words.evaluations.makeTest}
          icon={FlaskConical}
          className="btn-ghost btn-sm"
          onClick={() => setTest(true)}
        />
      ) : null}
      {isTest ? <MakeTest view={view} close={() => setTest(false)} /> : null}
    </>
  )
}

function AgainMenu({ strategy, again }: { strategy: string; again: (how: Again) => void }) {
  const { words } = useWords()
  const models = useAbout()?.models ?? []
  return (
    <Menu
      side="top"
      button={
        <Button icon={RefreshCw} label={words.answer.again} className="btn-ghost btn-sm">
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuItem label={words.answer.againSame} onSelect={() => again({ strategy })} />
      {STRATEGIES.filter((name) => name !== strategy).map((name) => (
        <MenuItem key={name} label={name} hint={words.strategies[name]} onSelect={() => again({ strategy: name })} />
      ))}
      {(models.length < 2 ? [] : models).map((model) => (
        <MenuItem key={model} label={model} onSelect={() => again({ strategy, model })} />
      ))}
    </Menu>
  )
}

/**
 * Continues a stopped run, or retries the failed steps in a new run that keeps the finished ones. Opens it where the
 * previous run was shown.
 */
function ContinueRun({ view: { state, status } }: { view: RunView }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const { conversationId } = useParams({ strict: false })
  const go = useMutation({
    mutationFn: () => api.post<{ runId: string }>(`/runs/${encodeURIComponent(state.runId)}/retry`),
    onSuccess: ({ runId }) =>
      conversationId === undefined
        ? navigate({ to: '/runs/$runId', params: { runId } })
        : navigate({ to: '.', search: (now) => ({ ...now, run: runId }) }),
  })
  const isStopped = status === 'cancelled'
  if (retryableJob(state) === undefined) return null
  const Icon = isStopped ? Play : RotateCw
  return (
    <>
      <Button
        label={isStopped ? words.schedules.resume : words.fork.retry}
        icon={Icon}
        className="btn-sm mr-1 ml-2"
        action={go}
      />
      <ErrorBanner error={go.error} isInText />
    </>
  )
}
