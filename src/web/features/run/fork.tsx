import { GitFork } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useRun } from '../../run/use-run.ts'
import { LoadError, LoadingMark } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import type { ForkProps } from './fork-dialog.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Button } from '../../ui/button.tsx'

const ForkDialog = lazyComponent(() => import('./fork-dialog.tsx'))

/** Opens the dialog for changes from one step on. */
export function Fork(fork: ForkProps) {
  const { words } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={GitFork} label={words.fork.fromHere} className="btn-sm self-start" onClick={() => setOpen(true)} />
      {isOpen ? (
        <Suspense fallback={<LoadingMark />}>
          <ForkDialog {...fork} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The same of a run that is not looked at: it is read once that is to be done. */
export function ForkOther({ runId, from, label }: { runId: string; from: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={GitFork} label={label} className="btn-sm" onClick={() => setOpen(true)} />
      {isOpen ? <Read runId={runId} from={from} close={() => setOpen(false)} /> : null}
    </>
  )
}

function Read({ runId, from, close }: { runId: string; from: string; close: () => void }) {
  const { view, trouble } = useRun(runId)
  if (view === undefined) {
    return (
      <LoadError error={trouble} isInText>
        <LoadingMark />
      </LoadError>
    )
  }
  return (
    <Suspense fallback={<LoadingMark />}>
      <ForkDialog view={view} from={from} close={close} />
    </Suspense>
  )
}
