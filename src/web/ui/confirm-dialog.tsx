import { TriangleAlert } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useWords } from '../locales/words.tsx'
import { Dialog } from './dialog.tsx'
import { Button, IconButton } from './button.tsx'

interface ConfirmDialogProps {
  /** Name of the action in one or two words, also the label of the button. */
  readonly action: string
  /** Consequences of the action. */
  readonly consequences: string
  readonly yes: () => void
  readonly close: () => void
}

/** Confirmation for an irreversible action. */
export function ConfirmDialog({ action, consequences, yes, close }: ConfirmDialogProps) {
  const { words } = useWords()
  return (
    <Dialog label={action} close={close} className="dialog">
      <div className="flex gap-3 px-5 pt-5 pb-4">
        <span className="tone-bad grid size-8 flex-none place-items-center rounded-lg">
          <TriangleAlert size={18} aria-hidden />
        </span>
        <div className="min-w-0">
          <h2 className="text-16 font-semibold">{action}</h2>
          <p className="mt-1 text-13 text-text-2 wrap-anywhere">{consequences}</p>
        </div>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button label={words.app.cancel} onClick={close} />
        <Button
          label={action}
          className="btn-danger"
          onClick={() => {
            yes()
            close()
          }}
        />
      </footer>
    </Dialog>
  )
}

interface Confirmation {
  /** Name of the action. */
  readonly label: string
  /** Consequences of the action. */
  readonly consequences: string
  readonly yes: () => void
}

/** A button for an irreversible action, which asks first. */
export function ConfirmButton(props: Confirmation & Omit<ComponentProps<typeof Button>, 'onClick' | 'label'>) {
  const { consequences, yes, ...button } = props
  const [isAsked, setAsked] = useState(false)
  const close = (): void => setAsked(false)
  return (
    <>
      <Button {...button} onClick={() => setAsked(true)} />
      {isAsked ? <ConfirmDialog action={button.label} consequences={consequences} yes={yes} close={close} /> : null}
    </>
  )
}

/** An icon button for an irreversible action, which asks first. @param object what the action is for */
export function ConfirmIconButton({
  label,
  object,
  consequences,
  yes,
  ...button
}: Confirmation & { object?: string } & Omit<ComponentProps<typeof IconButton>, 'onClick' | 'label'>) {
  const [isAsked, setAsked] = useState(false)
  const close = (): void => setAsked(false)
  const buttonLabel = object === undefined ? label : `${label}: ${object}`
  return (
    <>
      <IconButton {...button} label={buttonLabel} onClick={() => setAsked(true)} />
      {isAsked ? <ConfirmDialog action={label} consequences={consequences} yes={yes} close={close} /> : null}
    </>
  )
}
