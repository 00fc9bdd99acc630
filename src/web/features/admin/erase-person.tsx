import { useState } from 'react'
import type { Person } from '../../app/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'

interface ErasePersonProps {
  readonly person: Person
  readonly erase: () => void
  readonly close: () => void
}

/** Confirms the erasure of a user by asking for their name. */
export function ErasePerson({ person: { displayName, username }, erase, close }: ErasePersonProps) {
  const { words } = useWords()
  const [said, setSaid] = useState('')
  return (
    <Dialog label={words.admin.erase} close={close} className="dialog" startsInside>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          erase()
          close()
        }}
      >
        <div className="flex flex-col gap-3 px-5 pt-5 pb-4">
          <h2 className="text-16 font-semibold">{words.admin.erase}</h2>
          <p className="text-13 text-text-2 wrap-anywhere">{words.admin.eraseSure({ name: displayName })}</p>
          <Field
            label={words.admin.eraseName({ name: username })}
            required
            autoComplete="off"
            value={said}
            say={setSaid}
          />
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <button type="button" className="btn" onClick={close}>
            {words.app.cancel}
          </button>
          <button type="submit" className="btn btn-danger" disabled={said !== username}>
            {words.admin.erase}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
