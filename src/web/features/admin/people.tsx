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
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { List, Cut } from '../../ui/list.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Message, Empty, Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { AddPerson } from './add-person.tsx'
import { linkOf, usePeople } from './grantees.ts'

interface Change {
  readonly role?: Role
  readonly isDisabled?: boolean
  readonly hasSecondFactor?: false
}

/** A dialog about an account. */
interface Question {
  readonly person: Person
  readonly about: 'disable' | 'erase'
}

const pathOf = ({ userId }: Person): string => `/people/${encodeURIComponent(userId)}`

/** Accounts: roles, disabled accounts, password and second-factor resets. */
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
      <Trouble error={change.error ?? reset.error ?? erase.error} />
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
        <ErasePerson person={question.person} erase={() => erase.mutate(question.person)} close={close} />
      ) : null}
      <Message
        tone="ok"
        text={erase.isSuccess ? words.admin.erased({ name: erase.variables.displayName }) : undefined}
        className="px-4 py-2.5"
      />
      {reset.data === undefined ? null : (
        <LinkDialog title={words.admin.resetLink} link={linkOf('reset', reset.data.token)} close={reset.reset}>
          {words.admin.resetHint({ name: reset.variables.displayName })}
        </LinkDialog>
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
  const { userId, displayName, username, email, role, isDisabled, hasSecondFactor, createdAt } = person
  const isMe = useSession()?.caller?.userId === userId
  const details = [username, email, words.settings.since({ when: formats.date(createdAt) })].filter(Boolean).join(' · ')
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
      {hasSecondFactor ? <span className="badge tone-ok">{words.settings.secondFactor}</span> : null}
      <div className="w-30">
        <Choice
          label={words.admin.roleOf({ name: displayName })}
          isQuiet
          value={role}
          options={words.role}
          disabled={isMe}
          say={(value) => change({ role: value })}
        />
      </div>
      <Menu button={<IconButton icon={Ellipsis} label={words.admin.more({ name: displayName })} />}>
        <DropdownMenu.Item asChild>
          <Link to="/admin/$part" params={{ part: 'access' }} search={{ as: userId }}>
            {words.access.page({ name: displayName })}
          </Link>
        </DropdownMenu.Item>
        <MenuItem label={words.admin.resetLink} onSelect={reset} />
        {hasSecondFactor ? (
          <MenuItem label={words.admin.dropFactor} onSelect={() => change({ hasSecondFactor: false })} />
        ) : null}
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

interface LinkDialogProps {
  readonly title: string
  readonly link: string
  readonly close: () => void
  readonly children: string
}

/** A link that is shown once, for its admin to pass on. */
function LinkDialog({ title, link, close, children }: LinkDialogProps) {
  const { words } = useWords()
  return (
    <Dialog label={title} close={close} className="dialog">
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-16 font-semibold">{title}</h2>
        <p className="text-13 text-text-2">{children}</p>
        <Copyable text={link} />
      </div>
      <footer className="flex justify-end border-t border-line px-5 py-3">
        <Button label={words.app.close} className="btn-primary" onClick={close} />
      </footer>
    </Dialog>
  )
}

interface ErasePersonProps {
  readonly person: Person
  readonly erase: () => void
  readonly close: () => void
}

/** Confirms the erasure of a user by asking for their name. */
function ErasePerson({ person: { displayName, username }, erase, close }: ErasePersonProps) {
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
