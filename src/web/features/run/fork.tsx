import { GitFork } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Soon } from '../../ui/states.tsx'
import { useWords } from '../../words/words.tsx'
import type { ForkProps } from './fork-dialog.tsx'
import { lazily } from '../../ui/lazily.tsx'

const ForkDialog = lazily(() => import('./fork-dialog.tsx'))

/** Opens what is to be otherwise from one step on. */
export function Fork(fork: ForkProps) {
  const { words } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-sm self-start" onClick={() => setOpen(true)}>
        <GitFork size={14} aria-hidden />
        {words.fork.fromHere}
      </button>
      {isOpen ? (
        <Suspense fallback={<Soon />}>
          <ForkDialog {...fork} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
