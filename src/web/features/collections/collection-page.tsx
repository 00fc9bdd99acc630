import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Fetched, Page, Subtitle } from '../../ui/page.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { Rename } from '../../ui/rename.tsx'
import { ConfirmIconButton } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { DocumentList } from '../documents/document-list.tsx'
import type { Collection } from './collections-page.tsx'
import { Grants } from './grants.tsx'

/** A collection: its documents and, for its owner, its grants. */
export default function CollectionPage() {
  const { words } = useWords()
  const { collectionId } = useParams({ from: '/collections/$collectionId' })
  const path = `/collections/${encodeURIComponent(collectionId)}`
  const query = useGet<Collection>(path)
  const collection = query.data
  if (collection === undefined) {
    return (
      <Page title={words.collections.title}>
        <Fetched query={query}>{() => null}</Fetched>
      </Page>
    )
  }
  const mayChange = collection.may.includes('edit')
  const mayShare = collection.may.includes('share')
  return (
    <DocumentList
      title={<Subtitle to="/collections" parent={words.collections.title} text={collection.name} />}
      lead={mayChange ? words.collections.editLead : words.collections.readLead}
      listPath={`${path}/documents`}
      mayChange={mayChange}
      actions={mayShare ? <Actions path={path} name={collection.name} /> : null}
    >
      {mayShare ? <Grants collection={collection} /> : null}
    </DocumentList>
  )
}

function Actions({ path, name }: { path: string; name: string }) {
  const { words } = useWords()
  const navigate = useNavigate()
  const rename = useChange((to: string) => api.patch(path, { name: to }), '/collections')
  const remove = useChange(async () => {
    await api.delete(path)
    await navigate({ to: '/collections' })
  }, '/collections')
  return (
    <span className="ml-auto flex items-center gap-2">
      <Rename name={name} label={words.collections.rename} maxLength={200} change={rename} />
      <ConfirmIconButton
        icon={Trash2}
        label={words.collections.remove}
        className=""
        consequences={words.collections.sure({ name })}
        yes={() => remove.mutate()}
      />
      <ErrorBanner error={rename.error ?? remove.error} />
    </span>
  )
}
