import type { UseMutationResult } from '@tanstack/react-query'
import { TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { Form } from './form.tsx'
import { IconButton } from './button.tsx'

interface RenameProps {
  readonly name: string
  readonly label: string
  readonly maxLength: number
  /** The page says why it failed. */
  readonly change: UseMutationResult<unknown, Error, string>
}

/**
 * A button that turns into an input with the name. Enter submits; the text stays until it is accepted. Escape cancels.
 */
export function Rename({ name, label, maxLength, change }: RenameProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined) {
    return <IconButton look="" icon={TextCursorInput} label={label} onClick={() => setDraft(name)} />
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
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={({ key }) => {
          if (key !== 'Escape') return
          change.reset()
          setDraft(undefined)
        }}
      />
    </Form>
  )
}
