import type { Schemas } from '../../../client/api-types.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsAdmin, useMayChange } from '../../app/session.ts'
import { Field } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import { DocumentTabs } from '../documents/documents-page.tsx'
import { useHolderNames } from './grants.tsx'

export type Collection = Schemas['Collection']

/** Documents that are given together to everyone, to groups or to people. */
export default function CollectionsPage() {
  const { words, formats } = useWords()
  const mayChange = useMayChange()
  const list = useMoves()
  const holders = useHolderNames()
  return (
    <Page title={words.documents.title} lead={words.collections.lead} tabs={<DocumentTabs />}>
      {mayChange ? <NewCollection /> : null}
      <Fetched query={useGet<Items<Collection>>('/collections?limit=200')}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={FolderOpen} title={words.collections.none}>
              {mayChange ? words.collections.noneHint : words.reading.noGrants}
            </Empty>
          ) : (
            <ul className="card overflow-hidden" ref={list}>
              {items.map(({ collectionId, name, documents, isOwn, ofInstallation, may, createdAt, grants }) => (
                <li key={collectionId} className="line">
                  <FolderOpen size={16} aria-hidden className="flex-none text-text-3" />
                  <span className="min-w-0 flex-1 basis-52">
                    <Link
                      to="/collections/$collectionId"
                      params={{ collectionId }}
                      data-move
                      className="cut block font-medium hover:underline"
                      title={name}
                    >
                      {name}
                    </Link>
                    {grants === undefined ? null : (
                      <span className="cut block text-12 text-text-2" title={holders(grants)}>
                        {holders(grants)}
                      </span>
                    )}
                  </span>
                  <span className="flex flex-wrap items-center gap-3">
                    <span className="text-text-2">{words.collections.count({ n: documents })}</span>
                    <span className="badge">
                      {isOwn
                        ? words.collections.isOwn
                        : ofInstallation
                          ? words.collections.ofInstallation
                          : words.collections.given}
                    </span>
                    {may.includes('edit') ? null : <span className="badge">{words.collections.reader}</span>}
                    <span className="hidden text-12 text-text-3 sm:inline">{formats.date(Date.parse(createdAt))}</span>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Page>
  )
}

function NewCollection() {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [ofInstallation, setOfInstallation] = useState(false)
  const make = useChange(async () => {
    const asked = { name: name.trim(), ...(ofInstallation ? { ofInstallation } : {}) }
    const { collectionId } = await api.post<Collection>('/collections', asked)
    await navigate({ to: '/collections/$collectionId', params: { collectionId } })
  }, '/collections')
  return (
    <form
      className="card mb-4 flex flex-wrap items-end gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <div className="min-w-60 flex-1">
        <Field label={words.collections.newOne} required maxLength={200} value={name} say={setName} />
      </div>
      {isAdmin ? (
        <label className="flex h-9 items-center gap-2 text-13">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={ofInstallation}
            onChange={(event) => setOfInstallation(event.target.checked)}
          />
          {words.collections.forAdmins}
        </label>
      ) : null}
      <button type="submit" className="btn btn-primary h-9" disabled={make.isPending || name.trim() === ''}>
        {words.collections.make}
      </button>
      {make.error === null ? null : <Trouble error={make.error} />}
    </form>
  )
}
