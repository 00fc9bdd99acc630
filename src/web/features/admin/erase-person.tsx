import { useState } from 'react'
import type { Person } from '../../app/session.ts'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'

interface ErasePersonProps {
  readonly person: Person
  readonly erase: () => void
  readonly close: () => void
}

/** Confirms the erasure of a user by asking for their name. */
export function ErasePerson({ person: { displayName, username }, erase, close }: ErasePersonProps) {
  const { words } = useWords()
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={words.admin.erase}
      lead={words.admin.eraseSure({ name: displayName })}
      action={words.admin.erase}
      look="btn-danger"
      disabled={name !== username}
      startsInside
      submit={() => {
        erase()
        close()
      }}
      close={close}
    >
      <Field label={words.admin.eraseName({ name: username })} required autoComplete="off" value={name} say={setName} />
    </FormDialog>
  )
}
