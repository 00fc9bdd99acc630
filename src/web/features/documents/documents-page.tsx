import type { Schemas } from '../../../client/api-types.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText, Trash2, Upload } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useMayChange } from '../../app/session.ts'
import { Fetched } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { Sure } from '../../ui/sure.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useWords } from '../../words/words.tsx'

type Document = Schemas['Document']

interface Uploaded {
  readonly items: readonly { readonly name: string; readonly status: string; readonly error?: string }[]
}

/** The documents that questions are answered from. Files can be dropped anywhere on the page. */
export default function DocumentsPage() {
  const { words, formats } = useWords()
  const client = useQueryClient()
  const mayAdd = useMayChange()
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [gone, setGone] = useState<Pick<Document, 'documentId' | 'name'> | undefined>()
  const documents = useQuery({
    queryKey: ['documents'],
    queryFn: ({ signal }) => api.get<Items<Document>>('/documents', signal),
  })
  const renew = () => client.invalidateQueries({ queryKey: ['documents'] })
  const upload = useMutation({
    // One at a time, so that each is there as soon as it can be. What cannot be read does not stop the others.
    mutationFn: async (files: readonly File[]) => {
      const failed: string[] = []
      for (const file of files) {
        const form = new FormData()
        form.append('file', file)
        await api.post<Uploaded>('/upload', form).catch((error: Error) => failed.push(`${file.name}: ${error.message}`))
        await renew()
      }
      if (failed.length > 0) throw new Error(failed.join(' '))
    },
    onSettled: renew,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`/documents/${encodeURIComponent(id)}`),
    onSettled: renew,
  })
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    upload.mutate([...event.dataTransfer.files])
  }
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <TopBar title={words.documents.title}>
        <button
          type="button"
          className="btn btn-primary ml-auto"
          disabled={upload.isPending || !mayAdd}
          onClick={() => picker.current?.click()}
        >
          <Upload size={16} aria-hidden />
          {words.documents.add}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            upload.mutate([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </TopBar>
      <div
        className={`min-h-0 flex-1 overflow-y-auto p-4 md:px-6 ${isOver ? 'outline-2 -outline-offset-8 outline-accent outline-dashed' : ''}`}
      >
        <p className="mb-4 text-13 text-text-2">{isOver ? words.documents.drop : words.documents.lead}</p>
        {upload.isPending ? (
          <p className="banner tone-info mb-3" role="status">
            <span className="spin mt-1" aria-hidden />
            {words.documents.uploading(upload.variables.map(({ name }) => name).join(', '))}
          </p>
        ) : null}
        {[upload.error, remove.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
        <Fetched query={documents}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon={FileText} title={words.documents.none}>
                {words.documents.noneHint}
              </Empty>
            ) : (
              <div className="card overflow-hidden">
                <table className="table">
                  <thead>
                    <tr>
                      <th>{words.documents.name}</th>
                      <th className="r hidden md:table-cell">{words.documents.size}</th>
                      <th className="r hidden sm:table-cell">{words.documents.added}</th>
                      <th>
                        <span className="sr-only">{words.documents.remove}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(({ documentId, name, description, bytes, pages, addedAt, notes }) => (
                      <tr key={documentId}>
                        <td className="w-full max-w-0">
                          <span className="cut block font-medium" title={name}>
                            {name}
                          </span>
                          <span className="cut block text-12 text-text-2" title={description}>
                            {description}
                          </span>
                          {notes.map((note) => (
                            <span key={note} className="block text-12 text-warn">
                              {note}
                            </span>
                          ))}
                        </td>
                        <td className="r hidden whitespace-nowrap text-text-2 md:table-cell">
                          {formats.number(Math.ceil(bytes / 1024))} kB
                          {pages === undefined ? '' : ` · ${words.documents.pages(pages)}`}
                        </td>
                        <td className="r hidden whitespace-nowrap text-text-2 sm:table-cell">
                          {formats.date(Date.parse(addedAt))}
                        </td>
                        <td>
                          <button
                            type="button"
                            className="btn btn-ghost btn-icon btn-sm"
                            aria-label={`${words.documents.remove}: ${name}`}
                            title={words.documents.remove}
                            onClick={() => setGone({ documentId, name })}
                          >
                            <Trash2 size={16} aria-hidden />
                          </button>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Fetched>
      </div>
      {gone === undefined ? null : (
        <Sure
          action={words.documents.remove}
          yes={() => remove.mutate(gone.documentId)}
          close={() => setGone(undefined)}
        >
          {words.documents.sure(gone.name)}
        </Sure>
      )}
    </div>
  )
}
