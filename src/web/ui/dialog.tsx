import { useEffect, useRef, type ReactNode } from 'react'

interface DialogProps {
  /** What it is called, for who cannot see it. */
  readonly label: string
  readonly close: () => void
  readonly className: string
  readonly children: ReactNode
}

/**
 * In front of all else, by the browser's own means: it keeps the focus, closes with Escape and gives the focus back. The focus
 * begins on the dialog itself, never on a button.
 */
export function Dialog({ label, close, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      tabIndex={-1}
      onClose={close}
      onClick={({ target, currentTarget }) => {
        // What is outside of its content is its backdrop.
        if (target === currentTarget) close()
      }}
    >
      {children}
    </dialog>
  )
}
