import { FileText, FolderOpen } from 'lucide-react'
import { useMayChange } from '../../app/session.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../locales/words.tsx'
import { DocumentList } from './document-list.tsx'

/** The user's own documents, which agents search for answers. */
export default function DocumentsPage() {
  const { words } = useWords()
  return (
    <DocumentList
      title={words.documents.title}
      lead={words.documents.lead}
      listPath="/documents"
      uploadPath="/upload"
      mayChange={useMayChange()}
      tabs={<DocumentTabs />}
    />
  )
}

/** The user's own documents, and those in collections. */
export function DocumentTabs() {
  const { words } = useWords()
  const tabs = [
    { to: '/documents', icon: FileText, label: words.collections.own },
    { to: '/collections', icon: FolderOpen, label: words.collections.title },
  ]
  return <Tabs label={words.documents.title} tabs={tabs} />
}
