import type { Schemas } from '../../../client/api-types.ts'
import { useNavigate } from '@tanstack/react-router'
import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { useIsAdmin, useMayChange } from '../../app/session.ts'
import { Checkbox, Field } from '../../ui/field.tsx'
import { List, Cut } from '../../ui/list.tsx'
import { InlineForm } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { RowLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'
import { DocumentTabs } from '../documents/documents-page.tsx'
import { useGrantSummary } from './grants.tsx'

export type Collection = Schemas['Collection']

/** Documents that are granted together to everyone, to groups or to users. */
export default function CollectionsPage() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const list = useMoves()
  return (
    <Page title={words.documents.title} lead={words.collections.lead} tabs={<DocumentTabs />}>
      {mayChange ? <NewCollection /> : null}
      <List
        query={useEndpoint('/collections?limit=200')}
        className="card overflow-hidden"
        ref={list}
        empty={
          <Empty
            icon={FolderOpen}
            title={words.collections.none}
            hint={mayChange ? words.collections.noneHint : words.reading.noGrants}
          />
        }
      >
        {(collection) => <Entry key={collection.collectionId} collection={collection} />}
      </List>
    </Page>
  )
}

function Entry({ collection }: { collection: Collection }) {
  const { words, formats } = useWords()
  const { collectionId, name, documents, isOwn, ofInstallation, may, createdAt, grants } = collection
  const summary = useGrantSummary(grants ?? [])
  const owner = ofInstallation ? words.collections.ofInstallation : words.collections.given
  return (
    <li className="line">
      <FolderOpen size={16} aria-hidden className="flex-none text-text-3" />
      <span className="min-w-0 flex-1 basis-52">
        <RowLink to="/collections/$collectionId" params={{ collectionId }} text={name} />
        {grants === undefined ? null : <Cut text={summary} className="block text-12 text-text-2" />}
      </span>
      <span className="flex flex-wrap items-center gap-3">
        <span className="text-text-2">{words.collections.count({ n: documents })}</span>
        <span className="badge">{isOwn ? words.collections.isOwn : owner}</span>
        {may.includes('edit') ? null : <span className="badge">{words.collections.reader}</span>}
        <span className="hidden text-12 text-text-3 sm:inline">{formats.date(createdAt)}</span>
      </span>
    </li>
  )
}

function NewCollection() {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [ofInstallation, setOfInstallation] = useState(false)
  const create = useChange(async () => {
    const body = { name: name.trim(), ...(ofInstallation ? { ofInstallation } : {}) }
    const { collectionId } = await api.post<Collection>('/collections', body)
    await navigate({ to: '/collections/$collectionId', params: { collectionId } })
  }, '/collections')
  return (
    <InlineForm mutation={create} action={words.collections.make} disabled={name.trim() === ''} className="card mb-4">
      <div className="min-w-60 flex-1">
        <Field label={words.collections.newOne} required maxLength={200} value={name} onChange={setName} />
      </div>
      {isAdmin ? (
        <Checkbox
          label={words.collections.forAdmins}
          checked={ofInstallation}
          onChange={setOfInstallation}
          className="h-9"
        />
      ) : null}
    </InlineForm>
  )
}
