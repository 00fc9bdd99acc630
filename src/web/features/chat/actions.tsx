import { useParams } from '@tanstack/react-router'
import { ChevronDown, FlaskConical, ListTree, RefreshCw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Suspense, useState } from 'react'
import { useMayChange } from '../../app/session.ts'
import type { RunView } from '../../run/run-log.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadingMark } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES } from './question-options.ts'
import { ContinueRun } from './continue-run.tsx'
import { useAbout } from './use-about.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'

/** Changes for asking a question again. */
export interface Again {
  readonly strategy?: string
  readonly model?: string
}

const MakeTest = lazyComponent(() => import('./make-test.tsx'))

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
        <LinkButton icon={ListTree} className="btn-ghost btn-sm" to="/runs/$runId" params={{ runId: view.state.runId }}>
          {words.answer.openRun}
        </LinkButton>
      )}
      {mayAsk ? (
        <Button icon={FlaskConical} className="btn-ghost btn-sm" onClick={() => setTest(true)}>
          {words.evaluations.makeTest}
        </Button>
      ) : null}
      {isTest ? (
        <Suspense fallback={<LoadingMark />}>
          <MakeTest view={view} close={() => setTest(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

function AgainMenu({ strategy, again }: { strategy: string; again: (how: Again) => void }) {
  const { words } = useWords()
  const models = useAbout()?.models ?? []
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="btn btn-ghost btn-sm">
        <RefreshCw size={16} aria-hidden />
        {words.answer.again}
        <ChevronDown size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6} collisionPadding={8}>
          <DropdownMenu.Item onSelect={() => again({ strategy })}>{words.answer.againSame}</DropdownMenu.Item>
          {STRATEGIES.filter((name) => name !== strategy).map((name) => (
            <DropdownMenu.Item key={name} onSelect={() => again({ strategy: name })}>
              <span className="flex flex-col py-0.5">
                <b className="font-medium">{name}</b>
                <span className="text-12 text-text-2">{words.strategies[name]}</span>
              </span>
            </DropdownMenu.Item>
          ))}
          {models.length < 2
            ? null
            : models.map((model) => (
                <DropdownMenu.Item key={model} onSelect={() => again({ strategy, model })}>
                  {model}
                </DropdownMenu.Item>
              ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
