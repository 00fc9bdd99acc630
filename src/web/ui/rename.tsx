import type { UseMutationResult } from '@tanstack/react-query'
import { TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { Form } from './form.tsx'
import { IconButton } from './button.tsx'

interface RenameProps {
  readonly name: string
  readonly label: string
  readonly maxLength: number
  readonly isSmall?: boolean
  /** Converts the typed text to a valid name. */
  readonly clean?: (typed: string) => string
  /** The page says why it failed. */
  readonly change: UseMutationResult<unknown, Error, string>
}

/**
 * A button that turns into an input with the name. Enter submits; the text stays until it is accepted. Escape cancels.
 */
export function Rename({ name, label, maxLength, isSmall = false, clean = (typed) => typed, change }: RenameProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined) {
    return (
      <IconButton
        look=""
        className={isSmall ? 'btn-sm' : ''}
        icon={TextCursorInput}
        label={label}
        size={isSmall ? 14 : 16}
        onClick={() => setDraft(name)}
      />
    )
  }
  return (
    <Form
      submit={() => {
        if (!change.isPending) change.mutate(draft.trim(), { onSuccess: () => setDraft(undefined) })
      }}
    >
      <input
        className="input"
        autoFocus
        required
        maxLength={maxLength}
        aria-label={label}
        aria-invalid={change.isError}
        value={draft}
        onChange={(event) => setDraft(clean(event.target.value))}
        onKeyDown={({ key }) => {
          if (key !== 'Escape') return
          change.reset()
          setDraft(undefined)
        }}
      />
    </Form>
  )
}
