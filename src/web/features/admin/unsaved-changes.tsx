import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'

/** Confirms leaving a page with unsaved changes; the browser confirms leaving the app. */
export function UnsavedChanges({ changes }: { changes: number }) {
  const { words } = useWords()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => changes > 0,
    enableBeforeUnload: () => changes > 0,
    withResolver: true,
  })
  return status === 'blocked' ? (
    <ConfirmDialog action={words.app.discard} yes={proceed} close={reset}>
      {words.access.leaveSure({ n: changes })}
    </ConfirmDialog>
  ) : null
}
