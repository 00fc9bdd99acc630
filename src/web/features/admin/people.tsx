import { Ellipsis, UserPlus, UserRound } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import { useSession, type Person, type Role } from '../../app/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Copyable } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { AddPerson } from './add-person.tsx'
import { ErasePerson } from './erase-person.tsx'
import { linkOf, usePeople } from './grantees.ts'

interface Change {
  readonly userId: string
  readonly change: { readonly role?: Role; readonly isDisabled?: boolean; readonly hasSecondFactor?: false }
}

/** Accounts: roles, disabled accounts, password and second-factor resets. */
export function People() {
  const { words } = useWords()
  const people = usePeople()
  const [isAdding, setAdding] = useState(false)
  const [out, setOut] = useState<Person | undefined>()
  const [going, setGoing] = useState<Person | undefined>()
  const change = useChange(
    ({ userId, change: body }: Change) => api.patch(`/people/${encodeURIComponent(userId)}`, body),
    '/people',
    '/audit',
  )
  const reset = useChange(
    ({ userId }: Person) => api.post<{ token: string }>(`/people/${encodeURIComponent(userId)}/reset`),
    '/audit',
  )
  const erase = useChange(
    ({ userId }: Person) => api.delete(`/people/${encodeURIComponent(userId)}`),
    '/people',
    '/audit',
  )
  const hasAccounts = useSession()?.caller?.kind !== 'demo'
  return (
    <Section
      title={words.admin.people}
      lead={words.admin.peopleLead}
      actions={
        hasAccounts ? (
          <button type="button" className="btn btn-primary" onClick={() => setAdding(true)}>
            <UserPlus size={16} aria-hidden />
            {words.admin.invite}
          </button>
        ) : null
      }
    >
      {[change.error, reset.error, erase.error].map((error, at) =>
        error === null ? null : <Trouble key={at} error={error} />,
      )}
      <Fetched query={people}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={UserRound} title={words.admin.noPeople}>
              <p>{words.admin.noPeopleHint}</p>
              <Link to="/settings" className="btn btn-primary mt-3">
                {words.session.register}
              </Link>
            </Empty>
          ) : (
            <ul>
              {items.map((person) => (
                <Entry
                  key={person.userId}
                  person={person}
                  change={(body) => change.mutate({ userId: person.userId, change: body })}
                  shutOut={() => setOut(person)}
                  reset={() => reset.mutate(person)}
                  erase={() => setGoing(person)}
                />
              ))}
            </ul>
          )
        }
      </Fetched>
      {isAdding ? <AddPerson close={() => setAdding(false)} /> : null}
      {out === undefined ? null : (
        <ConfirmDialog
          action={words.admin.shutOut}
          yes={() => change.mutate({ userId: out.userId, change: { isDisabled: true } })}
          close={() => setOut(undefined)}
        >
          {words.admin.shutOutSure({ name: out.displayName })}
        </ConfirmDialog>
      )}
      {erase.isSuccess ? (
        <p role="status" className="px-4 py-2.5 text-12 text-ok">
          {words.admin.erased({ name: erase.variables.displayName })}
        </p>
      ) : null}
      {going === undefined ? null : (
        <ErasePerson person={going} erase={() => erase.mutate(going)} close={() => setGoing(undefined)} />
      )}
      {reset.data === undefined ? null : (
        <LinkDialog title={words.admin.resetLink} link={linkOf('reset', reset.data.token)} close={reset.reset}>
          {words.admin.resetHint({ name: reset.variables.displayName })}
        </LinkDialog>
      )}
    </Section>
  )
}

interface EntryProps {
  readonly person: Person
  readonly change: (change: Change['change']) => void
  readonly shutOut: () => void
  readonly reset: () => void
  readonly erase: () => void
}

function Entry({ person, change, shutOut, reset, erase }: EntryProps) {
  const { words, formats } = useWords()
  const { userId, displayName, username, email, role, isDisabled, hasSecondFactor, createdAt } = person
  const isMe = useSession()?.caller?.userId === userId
  const known = [username, email, words.settings.since({ when: formats.date(Date.parse(createdAt)) })]
    .filter(Boolean)
    .join(' · ')
  return (
    <li className="line">
      <Avatar name={displayName} />
      <div className="min-w-40 flex-1">
        <p className="cut font-medium" title={displayName}>
          {displayName} {isMe ? <span className="badge tone-accent">{words.admin.you}</span> : null}{' '}
          {isDisabled ? <span className="badge tone-bad">{words.admin.isOut}</span> : null}
        </p>
        <p className="cut text-12 text-text-2" title={known}>
          {known}
        </p>
      </div>
      {hasSecondFactor ? <span className="badge tone-ok">{words.settings.secondFactor}</span> : null}
      <div className="w-30">
        <Choice
          label={words.admin.roleOf({ name: displayName })}
          isQuiet
          value={role}
          options={words.role}
          disabled={isMe}
          say={(wanted) => change({ role: wanted })}
        />
      </div>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className="btn btn-ghost btn-icon btn-sm"
          aria-label={words.admin.more({ name: displayName })}
          title={words.admin.more({ name: displayName })}
        >
          <Ellipsis size={16} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item asChild>
              <Link to="/admin/$part" params={{ part: 'access' }} search={{ as: userId }}>
                {words.access.page({ name: displayName })}
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item onSelect={reset}>{words.admin.resetLink}</DropdownMenu.Item>
            {hasSecondFactor ? (
              <DropdownMenu.Item onSelect={() => change({ hasSecondFactor: false })}>
                {words.admin.dropFactor}
              </DropdownMenu.Item>
            ) : null}
            <DropdownMenu.Item asChild>
              <a href={`/people/${encodeURIComponent(userId)}/export`} download>
                {words.admin.export}
              </a>
            </DropdownMenu.Item>
            {isMe ? null : (
              <DropdownMenu.Item onSelect={() => (isDisabled ? change({ isDisabled: false }) : shutOut())}>
                {isDisabled ? words.admin.letIn : words.admin.shutOut}
              </DropdownMenu.Item>
            )}
            {isMe ? null : (
              <>
                <DropdownMenu.Separator className="my-1 h-px bg-line" />
                <DropdownMenu.Item onSelect={erase}>{words.admin.erase}</DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
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
        <button type="button" className="btn btn-primary" onClick={close}>
          {words.app.close}
        </button>
      </footer>
    </Dialog>
  )
}
