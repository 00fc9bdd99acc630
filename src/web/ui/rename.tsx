import { TextCursorInput } from 'lucide-react'
import { useState } from 'react'

interface RenameProps {
  readonly name: string
  readonly label: string
  readonly maxLength: number
  readonly isSmall?: boolean
  /** What is typed, as it may be. */
  readonly clean?: (typed: string) => string
  readonly rename: (to: string) => void
}

/** A button that becomes a field with the name in it: Enter takes what is typed, Escape gives it up. */
export function Rename({ name, label, maxLength, isSmall = false, clean = (typed) => typed, rename }: RenameProps) {
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
        rename(draft.trim())
        setDraft(undefined)
      }}
    >
      <input
        className="input"
        autoFocus
        required
        maxLength={maxLength}
        aria-label={label}
        value={draft}
        onChange={(event) => setDraft(clean(event.target.value))}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setDraft(undefined)
        }}
      />
    </form>
  )
}
