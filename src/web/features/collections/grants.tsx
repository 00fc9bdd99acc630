import { X } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet, useEndpoint } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { InlineForm } from '../../ui/form.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Effects } from '../admin/access-changes.tsx'
import type { Group } from '../admin/grantees.ts'
import type { Collection } from './collections-page.tsx'
import { IconButton } from '../../ui/button.tsx'

type Grant = NonNullable<Collection['grants']>[number]

const grantsPath = ({ collectionId }: Collection): string => `/collections/${encodeURIComponent(collectionId)}/grants`

/** Current grants of a collection, and new ones. */
export function Grants({ collection }: { collection: Collection }) {
  const { words } = useWords()
  const { grants = [] } = collection
  const path = grantsPath(collection)
  const revoke = useChange((to: string) => api.put(path, { to }), '/collections', '/grants')
  const granteeName = useGranteeName()
  const { group, user } = words.collections.isA
  return (
    <Section title={words.collections.grants} lead={words.collections.grantsLead}>
      <ul>
        <li className="line">
          <span className="min-w-0 flex-1 wrap-anywhere">
            {collection.isOwn ? words.admin.you : words.collections.allAdmins}
          </span>
          <span className="badge">{words.collections.looksAfter}</span>
          <span className="w-7" />
        </li>
        {grants.map((grant) => (
          <li key={grant.to} className="line">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {granteeName(grant)}{' '}
              {grant.to === 'everyone' ? null : (
                <span className="text-12 text-text-3">{grant.to.startsWith('group:') ? group : user}</span>
              )}
            </span>
            <span className={`badge ${grant.level === 'editor' ? 'tone-accent' : 'tone-info'}`}>
              {words.collections.level[grant.level]}
            </span>
            <IconButton
              icon={X}
              size={14}
              label={words.collections.takeAway({ name: granteeName(grant) })}
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(grant.to)}
            />
          </li>
        ))}
        {grants.length === 0 ? <li className="line text-text-2">{words.collections.nobody}</li> : null}
      </ul>
      <ErrorBanner error={revoke.error} />
      <NewGrant collection={collection} />
    </Section>
  )
}

type Kind = 'everyone' | 'group' | 'user'

/** Admins choose from all groups and users, other users from their own groups. Only admins may grant to everyone. */
function NewGrant({ collection }: { collection: Collection }) {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const [kind, setKind] = useState<Kind>(isAdmin ? 'everyone' : 'group')
  const [id, setId] = useState('')
  const [level, setLevel] = useState<Grant['level']>('reader')
  const { everyone, ...others } = words.collections.kind
  const to = kind === 'everyone' ? kind : `${kind}:${id.trim()}`
  const isComplete = kind === 'everyone' || id.trim() !== ''
  const grant = useChange(
    async () => {
      await api.put(grantsPath(collection), { to, level })
      setId('')
    },
    '/collections',
    '/grants',
  )
  return (
    <InlineForm
      mutation={grant}
      action={words.collections.give}
      look=""
      disabled={!isComplete}
      className="border-t border-line"
    >
      <Choice<Kind>
        label={words.collections.giveTo}
        value={kind}
        options={isAdmin ? { everyone, ...others } : (others as Record<Kind, string>)}
        onChange={(value) => {
          setKind(value)
          setId('')
        }}
      />
      {kind === 'everyone' ? null : <Grantee kind={kind} id={id} setId={setId} />}
      <Choice label={words.collections.as} value={level} options={words.collections.level} onChange={setLevel} />
      {isAdmin && isComplete ? (
        <div className="order-1 w-full" role="status">
          <Effects
            changes={[{ source: `collection:${collection.collectionId}`, to, level }]}
            nameOf={() => collection.name}
          />
        </div>
      ) : null}
    </InlineForm>
  )
}

/** Chooses a group or a user. Users other than admins cannot list users, so they type a name. */
function Grantee({ kind, id, setId }: { kind: 'group' | 'user'; id: string; setId: (id: string) => void }) {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const groups = useGet<Items<Group>>(isAdmin ? '/groups' : '/groups/mine').data?.items ?? []
  const people = useEndpoint('/people', isAdmin).data?.items ?? []
  if (kind === 'user' && !isAdmin) {
    return <Field label={words.collections.whose.user} required maxLength={200} value={id} onChange={setId} />
  }
  const options =
    kind === 'group'
      ? groups.map(({ groupId, name, members }) => [groupId, `${name} · ${words.admin.members({ n: members })}`])
      : people.map(({ userId, displayName }) => [userId, displayName])
  if (options.length === 0) {
    return (
      <p className="flex min-h-9 items-center text-12 text-text-2">
        {isAdmin ? words.collections.noneToPick[kind] : words.collections.inNoGroup}
      </p>
    )
  }
  return (
    <Choice
      label={words.collections.pick[kind]}
      value={id}
      options={{ '': words.collections.choose, ...Object.fromEntries(options) }}
      onChange={setId}
    />
  )
}

function useGranteeName(): (grant: Grant) => string {
  const { words } = useWords()
  return ({ to, name = to }) => (to === 'everyone' ? words.admin.everyone : name)
}

/** The readers and editors in one line. */
export function useGrantSummary(grants: readonly Grant[]): string {
  const { words, formats } = useWords()
  const granteeName = useGranteeName()
  const namesOf = (level: Grant['level']): readonly string[] =>
    grants.filter((grant) => grant.level === level).map(granteeName)
  const [readers, editors] = [namesOf('reader'), namesOf('editor')]
  const parts = [
    readers.length === 0 ? [] : words.collections.readers({ names: formats.list(readers) }),
    editors.length === 0 ? [] : words.collections.editors({ names: formats.list(editors) }),
  ].flat()
  return parts.join(' · ') || words.collections.nobody
}
