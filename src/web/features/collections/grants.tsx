import { X } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsAdmin, type Person } from '../../app/session.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Effects } from '../admin/access-changes.tsx'
import type { Group } from '../admin/grantees.ts'
import type { Collection } from './collections-page.tsx'
import { IconButton } from '../../ui/button.tsx'

type Grant = NonNullable<Collection['grants']>[number]

/** Current grants of a collection, and new ones. */
export function Grants({ collection }: { collection: Collection }) {
  const { words } = useWords()
  const { collectionId, name, isOwn } = collection
  const path = `/collections/${encodeURIComponent(collectionId)}/grants`
  const grants = useGet<Items<Grant>>(path)
  const give = useChange(
    ({ to, level }: { readonly to: string; readonly level?: Grant['level'] }) =>
      api.put(path, { to, ...(level === undefined ? {} : { level }) }),
    '/collections',
    '/grants',
  )
  const nameOf = ({ to, name: known }: Grant): string => (to === 'everyone' ? words.admin.everyone : (known ?? to))
  return (
    <Section title={words.collections.grants} lead={words.collections.grantsLead}>
      <Fetched query={grants} lines={2}>
        {({ items }) => (
          <ul>
            <li className="line">
              <span className="min-w-0 flex-1 wrap-anywhere">
                {isOwn ? words.admin.you : words.collections.allAdmins}
              </span>
              <span className="badge">{words.collections.looksAfter}</span>
              <span className="w-7" />
            </li>
            {items.map((grant) => (
              <li key={grant.to} className="line">
                <span className="min-w-0 flex-1 wrap-anywhere">
                  {nameOf(grant)} <span className="text-12 text-text-3">{kindOf(grant.to, words.collections.isA)}</span>
                </span>
                <span className={`badge ${grant.level === 'editor' ? 'tone-accent' : 'tone-info'}`}>
                  {words.collections.level[grant.level]}
                </span>
                <IconButton
                  icon={X}
                  size={14}
                  label={words.collections.takeAway({ name: nameOf(grant) })}
                  disabled={give.isPending}
                  onClick={() => give.mutate({ to: grant.to })}
                />
              </li>
            ))}
            {items.length === 0 ? <li className="line text-text-2">{words.collections.nobody}</li> : null}
          </ul>
        )}
      </Fetched>
      <Give
        give={(to, level, done) => give.mutate({ to, level }, { onSuccess: done })}
        isPending={give.isPending}
        source={`collection:${collectionId}`}
        name={name}
      />
      {give.error === null ? null : <Trouble error={give.error} />}
    </Section>
  )
}

interface GiveProps {
  readonly give: (to: string, level: Grant['level'], done: () => void) => void
  readonly isPending: boolean
  readonly source: string
  readonly name: string
}

/** Admins choose from all groups, other users from their own. Only admins may list users. */
function Give({ give, isPending, source, name }: GiveProps) {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const [kind, setKind] = useState<'everyone' | 'group' | 'user'>(isAdmin ? 'everyone' : 'group')
  const [who, setWho] = useState('')
  const [level, setLevel] = useState<Grant['level']>('reader')
  const groups = useGet<Items<Group>>(isAdmin ? '/groups' : '/groups/mine')
  const people = useGet<Items<Person>>('/people', isAdmin)
  // To everyone it is an admin's to give.
  const { everyone: _everyone, ...others } = words.collections.kind
  const choose = (wanted: typeof kind): void => {
    setKind(wanted)
    setWho('')
  }
  const picked: Readonly<Record<string, string>> | undefined =
    kind === 'group'
      ? Object.fromEntries(
          (groups.data?.items ?? []).map(({ groupId, name: called, members }) => [
            groupId,
            `${called} · ${words.admin.members({ n: members })}`,
          ]),
        )
      : kind === 'user' && isAdmin
        ? Object.fromEntries((people.data?.items ?? []).map(({ userId, displayName }) => [userId, displayName]))
        : undefined
  const to = kind === 'everyone' ? kind : who.trim() === '' ? undefined : `${kind}:${who.trim()}`
  return (
    <form
      className="flex flex-wrap items-end gap-3 border-t border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (to !== undefined) give(to, level, () => setWho(''))
      }}
    >
      {isAdmin ? (
        <Choice label={words.collections.giveTo} value={kind} options={words.collections.kind} say={choose} />
      ) : (
        <Choice
          label={words.collections.giveTo}
          value={kind === 'everyone' ? 'group' : kind}
          options={others}
          say={choose}
        />
      )}
      {kind === 'everyone' ? null : picked === undefined ? (
        <Field label={words.collections.whose.user} required maxLength={200} value={who} say={setWho} />
      ) : Object.keys(picked).length === 0 ? (
        <p className="flex min-h-9 items-center text-12 text-text-2">
          {isAdmin ? words.collections.noneToPick[kind] : words.collections.inNoGroup}
        </p>
      ) : (
        <Choice
          label={words.collections.pick[kind]}
          value={who}
          options={{ '': words.collections.choose, ...picked }}
          say={setWho}
        />
      )}
      <Choice label={words.collections.as} value={level} options={words.collections.level} say={setLevel} />
      <button type="submit" className="btn h-9" disabled={isPending || to === undefined}>
        {words.collections.give}
      </button>
      {isAdmin && to !== undefined ? (
        <div className="w-full" role="status">
          <Effects changes={[{ source, to, level }]} nameOf={() => name} />
        </div>
      ) : null}
    </form>
  )
}

function kindOf(to: string, isA: Readonly<Record<'group' | 'user', string>>): string {
  return to.startsWith('group:') ? isA.group : to.startsWith('user:') ? isA.user : ''
}

/** Who else has one, in a line. */
export function useHolderNames(): (grants: NonNullable<Collection['grants']>) => string {
  const { words, formats } = useWords()
  return (grants) => {
    const named = (level: Grant['level']): string =>
      formats.list(
        grants
          .filter((grant) => grant.level === level)
          .map(({ to, name }) => (to === 'everyone' ? words.admin.everyone : (name ?? to))),
      )
    const [readers, editors] = [named('reader'), named('editor')]
    const parts = [
      readers === '' ? '' : words.collections.readers({ names: readers }),
      editors === '' ? '' : words.collections.editors({ names: editors }),
    ]
    return parts.filter((one) => one !== '').join(' · ') || words.collections.nobody
  }
}
