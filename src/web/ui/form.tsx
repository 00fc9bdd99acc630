import type { ComponentProps, ReactNode } from 'react'
import { useWords } from '../locales/words.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Trouble } from './states.tsx'

/** A form that is sent by code. */
export function Form({ submit, ...form }: { submit: () => void } & Omit<ComponentProps<'form'>, 'onSubmit'>) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    />
  )
}

interface FormDialogProps {
  readonly title: string
  readonly lead?: string
  /** Label of the submit button. */
  readonly action: string
  readonly look?: 'btn-primary' | 'btn-danger'
  readonly disabled?: boolean
  readonly error?: Error | null
  /** The form was sent, and the dialog can only be closed. */
  readonly isDone?: boolean
  readonly startsInside?: boolean
  readonly submit: () => void
  readonly close: () => void
  readonly children: ReactNode
}

/** A dialog with a form. */
export function FormDialog({ title, lead, action, look = 'btn-primary', submit, close, ...props }: FormDialogProps) {
  const { disabled = false, error = null, isDone = false, startsInside = false, children } = props
  const { words } = useWords()
  return (
    <Dialog label={title} close={close} className="dialog" startsInside={startsInside}>
      <Form className="flex min-h-0 flex-col" submit={submit}>
        <div className="flex flex-col gap-4 overflow-y-auto p-5">
          <div>
            <h2 className="text-16 font-semibold">{title}</h2>
            {lead === undefined ? null : <p className="text-13 text-text-2 wrap-anywhere">{lead}</p>}
          </div>
          {children}
          <Trouble error={error} isInText />
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button label={isDone ? words.app.close : words.app.cancel} onClick={close} />
          {isDone ? null : <Button label={action} className={look} type="submit" disabled={disabled} />}
        </footer>
      </Form>
    </Dialog>
  )
}
