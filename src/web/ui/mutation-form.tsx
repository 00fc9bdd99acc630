import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Form } from './form.tsx'
import { Message } from './message.tsx'
import { Trouble } from './states.tsx'

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
      <Trouble error={mutation.error} isInText />
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
      <Trouble error={mutation.error} />
    </Form>
  )
}

/** Value and handler of a field. */
export interface FieldValue<T> {
  readonly value: T
  readonly say: (value: T) => void
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
      say: (value) => setValues((before) => ({ ...before, [name]: value })),
    }),
    reset: () => setValues(start),
  }
}
