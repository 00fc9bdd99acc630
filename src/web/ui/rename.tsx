import type { UseMutationResult } from '@tanstack/react-query'
import { TextCursorInput } from 'lucide-react'
import { useState } from 'react'

interface RenameProps {
  readonly name: string
  readonly label: string
  readonly maxLength: number
  readonly isSmall?: boolean
  /** What is typed, as it may be. */
  readonly clean?: (typed: string) => string
  /** The page says why it failed. */
  readonly change: UseMutationResult<unknown, Error, string>
}

/** A button that becomes a field with the name in it: Enter takes what is typed, which stays until it is taken; Escape gives it up. */
export function Rename({ name, label, maxLength, isSmall = false, clean = (typed) => typed, change }: RenameProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined) {
    return (
      <button
        type="button"
        className={`btn btn-icon ${isSmall ? 'btn-sm' : ''}`}
        aria-label={label}
        title={label}
        onClick={() => setDraft(name)}
      >
        <TextCursorInput size={isSmall ? 14 : 16} aria-hidden />
      </button>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
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
    </form>
  )
}
