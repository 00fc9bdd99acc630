import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useWords } from '../locales/words.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Message, ErrorBanner } from './states.tsx'

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
export function FormDialog({ title, lead, action, submit, close, ...props }: FormDialogProps) {
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
          <ErrorBanner error={error} isInText />
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button label={isDone ? words.app.close : words.app.cancel} onClick={close} />
          {isDone ? null : <Button label={action} className="btn-primary" type="submit" disabled={disabled} />}
        </footer>
      </Form>
    </Dialog>
  )
}

interface MutationFormProps {
  /** Runs when the form is submitted. */
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isSuccess'> & {
    readonly error: Error | null
  }
  /** Label of the button that submits the form. */
  readonly action: string
  /** Look of that button. */
  readonly look?: string
  readonly disabled?: boolean
  readonly children: ReactNode
}

interface StackedFormProps extends MutationFormProps {
  /** Shown when the mutation has succeeded. */
  readonly success?: string
  /** Further buttons. */
  readonly actions?: ReactNode
}

/** Fields below each other, with the error or success of their mutation. */
export function MutationForm(props: StackedFormProps) {
  const { mutation, action, look = 'btn-primary', disabled = false, success, actions, children } = props
  return (
    <Form className="flex flex-col gap-3 p-4" submit={() => mutation.mutate()}>
      {children}
      <ErrorBanner error={mutation.error} isInText />
      <Message tone="ok" text={mutation.isSuccess ? success : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button label={action} type="submit" className={look} disabled={disabled || mutation.isPending} />
        {actions}
      </div>
    </Form>
  )
}

interface InlineFormProps extends MutationFormProps {
  readonly className?: string
  /** How the fields are arranged. */
  readonly layout?: string
}

/** Fields in one row, with the button beside them and the error of their mutation below. */
export function InlineForm(props: InlineFormProps) {
  const {
    mutation,
    action,
    look = 'btn-primary',
    disabled = false,
    className = '',
    layout = 'flex flex-wrap',
    children,
  } = props
  return (
    <Form className={className} submit={() => mutation.mutate()}>
      <div className={`${layout} items-end gap-3 p-4`}>
        {children}
        <Button label={action} type="submit" className={`h-9 ${look}`} disabled={disabled || mutation.isPending} />
      </div>
      <ErrorBanner error={mutation.error} />
    </Form>
  )
}

/** Value and handler of a field. */
export interface FieldValue<T> {
  readonly value: T
  readonly onChange: (value: T) => void
}

interface Fields<T> {
  readonly values: T
  /** Value and handler of the field with this name. */
  readonly field: <Name extends keyof T>(name: Name) => FieldValue<T[Name]>
  /** Restores the first values. */
  readonly reset: () => void
}

/** The values of the fields of a form. */
export function useFields<T extends Readonly<Record<string, string>>>(start: T): Fields<T> {
  const [values, setValues] = useState(start)
  return {
    values,
    field: (name) => ({
      value: values[name],
      onChange: (value) => setValues((before) => ({ ...before, [name]: value })),
    }),
    reset: () => setValues(start),
  }
}
