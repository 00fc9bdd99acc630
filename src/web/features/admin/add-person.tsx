import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { useSession, type Role } from '../../app/session.ts'
import { Copyable } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { linkOf } from './grantees.ts'

/** Creates an invitation link, or an account with a name chosen by the admin. */
export function AddPerson({ close }: { close: () => void }) {
  const { words } = useWords()
  const [role, setRole] = useState<Role>('member')
  const [username, setUsername] = useState('')
  const name = username.trim()
  const isClosed = useSession()?.registration === 'closed'
  const make = useChange(
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
    <Dialog label={words.admin.invite} close={close} className="dialog">
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <h2 className="text-16 font-semibold">{words.admin.invite}</h2>
        {make.data === undefined ? (
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
            {make.error === null ? null : <Trouble error={make.error} />}
            <div className="flex justify-end gap-2 pt-1">
              <button type="button" className="btn" onClick={close}>
                {words.app.cancel}
              </button>
              <button type="submit" className="btn btn-primary" disabled={make.isPending}>
                {words.admin.makeLink}
              </button>
            </div>
          </>
        ) : (
          <>
            <p className="text-13 text-text-2" role="status">
              {name === '' ? words.admin.invited : words.admin.resetHint({ name })}
            </p>
            <Copyable text={make.data} />
            <button type="button" className="btn btn-primary self-end" onClick={close}>
              {words.app.close}
            </button>
          </>
        )}
      </form>
    </Dialog>
  )
}
