import { useBlocker } from '@tanstack/react-router'
import { Sure } from '../../ui/sure.tsx'
import { useWords } from '../../locales/words.tsx'

/** Confirms leaving a page with unsaved changes; the browser confirms leaving the app. */
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
