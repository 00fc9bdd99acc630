import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { Sure } from '../../ui/sure.tsx'
import { useWords } from '../../words/words.tsx'
import { Shelf } from '../documents/shelf.tsx'
import type { Collection } from './collections-page.tsx'

/** One collection: its documents and, for whose it is, whom it is given to. */
export default function CollectionPage() {
  const { words } = useWords()
  const { collectionId } = useParams({ from: '/collections/$collectionId' })
  const path = `/collections/${encodeURIComponent(collectionId)}`
  const collection = useGet<Collection>(path)
  if (collection.data === undefined) {
    return (
      <Page title={words.collections.title}>
        <Fetched query={collection}>{() => null}</Fetched>
      </Page>
    )
  }
  const { name, may } = collection.data
  return (
    <Shelf
      title={
        <>
          <Link to="/collections" className="hidden font-normal text-text-3 sm:inline">
            {words.collections.title} ›
          </Link>{' '}
          {name}
        </>
      }
      lead={may.includes('edit') ? words.collections.editLead : words.collections.readLead}
      place={{ list: `${path}/documents`, add: `${path}/documents` }}
      mayChange={may.includes('edit')}
      {...(may.includes('share') ? { actions: <Actions path={path} name={name} /> } : {})}
    >
      {may.includes('share') ? <Grants path={path} /> : null}
    </Shelf>
  )
}

function Actions({ path, name }: { path: string; name: string }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<string>()
  const [isAsked, setAsked] = useState(false)
  const rename = useChange((to: string) => api.patch(path, { name: to }), '/collections')
  const remove = useChange(async () => {
    await api.delete(path)
    await navigate({ to: '/collections' })
  }, '/collections')
  return (
    <span className="ml-auto flex items-center gap-2">
      {draft === undefined ? (
        <button
          type="button"
          className="btn btn-icon"
          aria-label={words.collections.rename}
          title={words.collections.rename}
          onClick={() => setDraft(name)}
        >
          <Pencil size={16} aria-hidden />
        </button>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            rename.mutate(draft.trim())
            setDraft(undefined)
          }}
        >
          <input
            className="input"
            autoFocus
            required
            maxLength={200}
            aria-label={words.collections.rename}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={({ key }) => {
              if (key === 'Escape') setDraft(undefined)
            }}
          />
        </form>
      )}
      <button
        type="button"
        className="btn btn-danger btn-icon"
        aria-label={words.collections.remove}
        title={words.collections.remove}
        onClick={() => setAsked(true)}
      >
        <Trash2 size={16} aria-hidden />
      </button>
      {[rename.error, remove.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
      {isAsked ? (
        <Sure action={words.collections.remove} yes={() => remove.mutate()} close={() => setAsked(false)}>
          {words.collections.sure(name)}
        </Sure>
      ) : null}
    </span>
  )
}

interface Grant {
  readonly to: string
  readonly name?: string
  readonly level: 'reader' | 'editor'
}

/** Whom it is given to. Names are typed: who is here is for admins alone to see. */
function Grants({ path }: { path: string }) {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const [kind, setKind] = useState<'everyone' | 'group' | 'user'>(isAdmin ? 'everyone' : 'group')
  const [name, setName] = useState('')
  const [level, setLevel] = useState<Grant['level']>('reader')
  const grants = useGet<Items<Grant>>(`${path}/grants`)
  const give = useChange(
    ({ to, level: as }: { to: string; level?: Grant['level'] }) =>
      api.put(`${path}/grants`, { to, ...(as === undefined ? {} : { level: as }) }),
    `${path}/grants`,
  )
  // To everyone it is an admin's to give.
  const { everyone: _everyone, ...others } = words.collections.kind
  const nameOf = ({ to, name: known }: Grant): string => (to === 'everyone' ? words.admin.everyone : (known ?? to))
  return (
    <Section title={words.collections.grants} lead={words.collections.grantsLead}>
      <Fetched query={grants} lines={2}>
        {({ items }) => (
          <ul>
            {items.length === 0 ? <li className="line text-text-2">{words.collections.nobody}</li> : null}
            {items.map((grant) => (
              <li key={grant.to} className="line">
                <span className="min-w-0 flex-1 wrap-anywhere">{nameOf(grant)}</span>
                <span className="badge">{words.collections.level[grant.level]}</span>
                <button
                  type="button"
                  className="btn btn-ghost btn-icon btn-sm"
                  aria-label={words.collections.takeAway(nameOf(grant))}
                  title={words.collections.takeAway(nameOf(grant))}
                  disabled={give.isPending}
                  onClick={() => give.mutate({ to: grant.to })}
                >
                  <X size={14} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
      </Fetched>
      <form
        className="flex flex-wrap items-end gap-3 border-t border-line p-4"
        onSubmit={(event) => {
          event.preventDefault()
          const to = kind === 'everyone' ? kind : `${kind}:${name.trim()}`
          give.mutate({ to, level }, { onSuccess: () => setName('') })
        }}
      >
        {isAdmin || kind === 'everyone' ? (
          <Choice label={words.collections.giveTo} value={kind} options={words.collections.kind} say={setKind} />
        ) : (
          <Choice label={words.collections.giveTo} value={kind} options={others} say={setKind} />
        )}
        {kind === 'everyone' ? null : (
          <Field label={words.collections.whose[kind]} required maxLength={200} value={name} say={setName} />
        )}
        <Choice label={words.collections.as} value={level} options={words.collections.level} say={setLevel} />
        <button type="submit" className="btn h-9" disabled={give.isPending}>
          {words.collections.give}
        </button>
        {give.error === null ? null : <Trouble error={give.error} />}
      </form>
    </Section>
  )
}
