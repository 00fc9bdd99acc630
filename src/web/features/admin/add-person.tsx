import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { useSession, type Role } from '../../app/session.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'
import { linkOf } from './grantees.ts'

/** Creates an invitation link, or an account with a name chosen by the admin. */
export function AddPerson({ close }: { close: () => void }) {
  const { words } = useWords()
  const [role, setRole] = useState<Role>('member')
  const [username, setUsername] = useState('')
  const name = username.trim()
  const isClosed = useSession()?.registration === 'closed'
  const create = useChange(
    async () => {
      if (name === '') {
        const { token } = await api.post<{ token: string }>('/people/invitations', { role })
        return linkOf('invitation', token)
      }
      const { token } = await api.post<{ token: string }>('/people', { username: name, role })
      return linkOf('reset', token)
    },
    '/people',
    '/audit',
  )
  return (
    <FormDialog
      title={words.admin.invite}
      action={words.admin.makeLink}
      disabled={create.isPending}
      error={create.error}
      isDone={create.isSuccess}
      submit={() => create.mutate()}
      close={close}
    >
      {create.data === undefined ? (
        <>
          <Choice label={words.admin.role} value={role} options={words.role} say={setRole} />
          <p className="text-12 text-text-2">{words.admin.roleHint[role]}</p>
          <Field
            label={words.admin.username}
            hint={isClosed ? words.admin.usernameNeeded : words.admin.usernameHint}
            required={isClosed}
            autoComplete="off"
            value={username}
            say={setUsername}
          />
        </>
      ) : (
        <>
          <p className="text-13 text-text-2" role="status">
            {name === '' ? words.admin.invited : words.admin.resetHint({ name })}
          </p>
          <Copyable text={create.data} />
        </>
      )}
    </FormDialog>
  )
}
