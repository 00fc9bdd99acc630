import { Ellipsis, UserPlus, UserRound } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { useSession, type Person, type Role } from '../../app/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, LinkButton, IconButton } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy-button.tsx'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { List, Cut } from '../../ui/list.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Message, Empty, ErrorBanner } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { resetLink, usePeople } from './grantees.ts'

interface Change {
  readonly role?: Role
  readonly isDisabled?: boolean
}

/** A dialog about an account. */
interface Question {
  readonly person: Person
  readonly about: 'disable' | 'erase'
}

const pathOf = ({ userId }: Person): string => `/people/${encodeURIComponent(userId)}`

/** Accounts: roles, disabled accounts, password resets. */
export function People() {
  const { words } = useWords()
  const [isAdding, setAdding] = useState(false)
  const [question, ask] = useState<Question>()
  const change = useChange(
    ({ person, ...body }: Change & { person: Person }) => api.patch(pathOf(person), body),
    '/people',
    '/audit',
  )
  const reset = useChange((person: Person) => api.post<{ token: string }>(`${pathOf(person)}/reset`), '/audit')
  const erase = useChange((person: Person) => api.delete(pathOf(person)), '/people', '/audit')
  const hasAccounts = useSession()?.caller?.kind !== 'demo'
  const close = (): void => ask(undefined)
  return (
    <Section
      title={words.admin.people}
      lead={words.admin.peopleLead}
      actions={
        hasAccounts ? (
          <Button label={words.admin.invite} icon={UserPlus} className="btn-primary" onClick={() => setAdding(true)} />
        ) : null
      }
    >
      <ErrorBanner error={change.error ?? reset.error ?? erase.error} />
      <List
        query={usePeople()}
        empty={
          <Empty icon={UserRound} title={words.admin.noPeople} hint={words.admin.noPeopleHint}>
            <LinkButton to="/settings" label={words.session.register} className="btn-primary mt-3" />
          </Empty>
        }
      >
        {(person) => (
          <Account
            key={person.userId}
            person={person}
            change={(body) => change.mutate({ person, ...body })}
            reset={() => reset.mutate(person)}
            ask={(about) => ask({ person, about })}
          />
        )}
      </List>
      {isAdding ? <AddPerson close={() => setAdding(false)} /> : null}
      {question?.about === 'disable' ? (
        <ConfirmDialog
          action={words.admin.shutOut}
          yes={() => change.mutate({ person: question.person, isDisabled: true })}
          close={close}
          consequences={words.admin.shutOutSure({ name: question.person.displayName })}
        />
      ) : null}
      {question?.about === 'erase' ? (
        <ConfirmDialog
          action={words.admin.erase}
          yes={() => erase.mutate(question.person)}
          close={close}
          consequences={words.admin.eraseSure({ name: question.person.displayName })}
        />
      ) : null}
      <Message
        tone="ok"
        text={erase.isSuccess ? words.admin.erased({ name: erase.variables.displayName }) : undefined}
        className="px-4 py-2.5"
      />
      {reset.data === undefined ? null : (
        <FormDialog
          title={words.admin.resetLink}
          lead={words.admin.resetHint({ name: reset.variables.displayName })}
          action={words.app.close}
          isDone
          submit={reset.reset}
          close={reset.reset}
        >
          <Copyable text={resetLink(reset.data.token)} />
        </FormDialog>
      )}
    </Section>
  )
}

interface AccountProps {
  readonly person: Person
  readonly change: (change: Change) => void
  readonly reset: () => void
  readonly ask: (about: Question['about']) => void
}

function Account({ person, change, reset, ask }: AccountProps) {
  const { words, formats } = useWords()
  const { userId, displayName, username, role, isDisabled, createdAt } = person
  const isMe = useSession()?.caller?.userId === userId
  const details = `${username} · ${words.settings.since({ when: formats.date(createdAt) })}`
  return (
    <li className="line">
      <Avatar name={displayName} />
      <div className="min-w-40 flex-1">
        <p className="cut font-medium" title={displayName}>
          {displayName} {isMe ? <span className="badge tone-accent">{words.admin.you}</span> : null}{' '}
          {isDisabled ? <span className="badge tone-bad">{words.admin.isOut}</span> : null}
        </p>
        <Cut text={details} className="block text-12 text-text-2" />
      </div>
      <div className="w-30">
        <Choice
          label={words.admin.roleOf({ name: displayName })}
          isQuiet
          value={role}
          options={words.role}
          disabled={isMe}
          onChange={(value) => change({ role: value })}
        />
      </div>
      <Menu button={<IconButton icon={Ellipsis} label={words.admin.more({ name: displayName })} />}>
        <DropdownMenu.Item asChild>
          <Link to="/admin/$part" params={{ part: 'access' }} search={{ as: userId }}>
            {words.access.page({ name: displayName })}
          </Link>
        </DropdownMenu.Item>
        <MenuItem label={words.admin.resetLink} onSelect={reset} />
        <DropdownMenu.Item asChild>
          <a href={`${pathOf(person)}/export`} download>
            {words.admin.export}
          </a>
        </DropdownMenu.Item>
        {isMe ? null : (
          <>
            <MenuItem
              label={isDisabled ? words.admin.letIn : words.admin.shutOut}
              onSelect={() => (isDisabled ? change({ isDisabled: false }) : ask('disable'))}
            />
            <MenuSeparator />
            <MenuItem label={words.admin.erase} onSelect={() => ask('erase')} />
          </>
        )}
      </Menu>
    </li>
  )
}

/** Creates an account, and a link to set its password. */
function AddPerson({ close }: { close: () => void }) {
  const { words } = useWords()
  const [role, setRole] = useState<Role>('member')
  const [username, setUsername] = useState('')
  const name = username.trim()
  const create = useChange(
    async () => resetLink((await api.post<{ token: string }>('/people', { username: name, role })).token),
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
          <Choice label={words.admin.role} value={role} options={words.role} onChange={setRole} />
          <p className="text-12 text-text-2">{words.admin.roleHint[role]}</p>
          <Field label={words.admin.username} required autoComplete="off" value={username} onChange={setUsername} />
        </>
      ) : (
        <>
          <p className="text-13 text-text-2" role="status">
            {words.admin.resetHint({ name })}
          </p>
          <Copyable text={create.data} />
        </>
      )}
    </FormDialog>
  )
}
