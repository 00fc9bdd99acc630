import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Fetched, Page, Subtitle } from '../../ui/page.tsx'
import { Troubles } from '../../ui/states.tsx'
import { Rename } from '../../ui/rename.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { DocumentList } from '../documents/document-list.tsx'
import type { Collection } from './collections-page.tsx'
import { Grants } from './grants.tsx'

/** A collection: its documents and, for its owner, its grants. */
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
    <DocumentList
      title={
        <Subtitle to="/collections" of={words.collections.title}>
          {name}
        </Subtitle>
      }
      lead={may.includes('edit') ? words.collections.editLead : words.collections.readLead}
      place={{ list: `${path}/documents`, add: `${path}/documents` }}
      mayChange={may.includes('edit')}
      {...(may.includes('share') ? { actions: <Actions path={path} name={name} /> } : {})}
    >
      {may.includes('share') ? <Grants collection={collection.data} /> : null}
    </DocumentList>
  )
}

function Actions({ path, name }: { path: string; name: string }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const rename = useChange((to: string) => api.patch(path, { name: to }), '/collections')
  const remove = useChange(async () => {
    await api.delete(path)
    await navigate({ to: '/collections' })
  }, '/collections')
  return (
    <span className="ml-auto flex items-center gap-2">
      <Rename name={name} label={words.collections.rename} maxLength={200} change={rename} />
      <button
        type="button"
        className="btn btn-danger btn-icon"
        aria-label={words.collections.remove}
        title={words.collections.remove}
        onClick={() => setAsked(true)}
      >
        <Trash2 size={16} aria-hidden />
      </button>
      <Troubles of={[rename, remove]} />
      {isAsked ? (
        <ConfirmDialog action={words.collections.remove} yes={() => remove.mutate()} close={() => setAsked(false)}>
          {words.collections.sure({ name })}
        </ConfirmDialog>
      ) : null}
    </span>
  )
}
