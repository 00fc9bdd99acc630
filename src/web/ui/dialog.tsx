import { useEffect, useRef, useState, type ReactNode } from 'react'

interface DialogProps {
  /** Accessible name. */
  readonly label: string
  readonly close: () => void
  readonly className: string
  /** The focus begins on its first control: there is something to type, and nothing to press by mistake. */
  readonly startsInside?: boolean
  readonly children: ReactNode
}

/**
 * A modal `<dialog>`: the browser traps the focus, closes it on Escape and restores the focus. The focus starts on the
 * dialog itself, never on a button, unless specified.
 */
export function Dialog({ label, close, className, startsInside = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // An item of a menu is gone by the end; what the menu was opened with is not.
  const [menu] = useState(
    () => document.activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? undefined,
  )
  useEffect(() => {
    dialog.current?.showModal()
    if (!startsInside) dialog.current?.focus()
    if (menu === undefined) return
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) document.getElementById(menu)?.focus()
      })
    }
  }, [startsInside, menu])
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      tabIndex={-1}
      // One that is open within it closes alone.
      onClose={({ target, currentTarget }) => {
        if (target === currentTarget) close()
      }}
      onClick={({ target, currentTarget }) => {
        // Clicks outside the content are on the backdrop.
        if (target === currentTarget) close()
      }}
    >
      {children}
    </dialog>
  )
}
