import { useBlocker } from '@tanstack/react-router'
import { Sure } from '../../ui/sure.tsx'
import { useWords } from '../../locales/words.tsx'

/** Asks before a page is left whose changes are not saved; the browser asks where the app itself is left. */
export function Leaving({ changes }: { changes: number }) {
  const { words } = useWords()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => changes > 0,
    enableBeforeUnload: () => changes > 0,
    withResolver: true,
  })
  return status === 'blocked' ? (
    <Sure action={words.app.discard} yes={proceed} close={reset}>
      {words.access.leaveSure({ n: changes })}
    </Sure>
  ) : null
}
