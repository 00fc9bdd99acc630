import { GitFork } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useRun } from '../../run/use-run.ts'
import { LoadError, LoadingMark } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import type { ForkProps } from './fork-dialog.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Button } from '../../ui/button.tsx'

const ForkDialog = lazyComponent(() => import('./fork-dialog.tsx'), <LoadingMark />)

/** Opens the dialog for changes from one step on. */
export function Fork(fork: ForkProps) {
  const { words } = useWords()
  return (
    <ForkButton label={words.fork.fromHere} className="self-start">
      {(close) => <ForkDialog {...fork} close={close} />}
    </ForkButton>
  )
}

/** The same for a run that is not on the page. It is loaded when the dialog opens. */
export function ForkOther({ runId, from, label }: { runId: string; from: string; label: string }) {
  return (
    <ForkButton label={label} className="">
      {(close) => <LoadedForkDialog runId={runId} from={from} close={close} />}
    </ForkButton>
  )
}

interface ForkButtonProps {
  readonly label: string
  readonly className: string
  readonly children: (close: () => void) => ReactNode
}

function ForkButton({ label, className, children }: ForkButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={GitFork} label={label} className={`btn-sm ${className}`} onClick={() => setOpen(true)} />
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  )
}

function LoadedForkDialog({ runId, from, close }: { runId: string; from: string; close: () => void }) {
  const { view, error } = useRun(runId)
  if (view !== undefined) return <ForkDialog view={view} from={from} close={close} />
  return (
    <LoadError error={error} isInText>
      <LoadingMark />
    </LoadError>
  )
}
