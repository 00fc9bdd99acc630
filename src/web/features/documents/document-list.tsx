import type { Schemas } from '../../../client/api-types.ts'
import { hasSheets } from '../../../client/run.ts'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, FileText, Trash2, Upload } from 'lucide-react'
import { useDeferredValue, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { sendFile } from '../../app/send-file.ts'
import { usePagedList, useRenew } from '../../app/data.ts'
import { FilePicker } from '../../ui/file-picker.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Empty, ErrorText, ServerText, ErrorBanner } from '../../ui/states.tsx'
import { deleteLater, useHiddenPaths } from '../../ui/undo.tsx'
import { Fetched, More } from '../../ui/page.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { showInvisible } from '../../ui/show-invisible.ts'
import { RowLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'

type Document = Schemas['Document']

interface DocumentListProps {
  readonly title: ReactNode
  readonly lead: string
  readonly listPath: string
  readonly uploadPath?: string
  readonly mayChange: boolean
  readonly tabs?: ReactNode
  /** Further actions in the page bar. */
  readonly actions?: ReactNode
  /** Content above the documents. */
  readonly children?: ReactNode
}

/** A page with a list of documents. Files can be dropped anywhere on it. */
export function DocumentList(props: DocumentListProps) {
  const { title, lead, listPath, uploadPath = listPath, mayChange, tabs, actions = null, children } = props
  const { words } = useWords()
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const upload = useUpload(listPath, uploadPath)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    if (mayChange) upload.mutate([...event.dataTransfer.files])
  }
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(mayChange)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <TopBar title={title}>
        {actions}
        {mayChange ? (
          <Button
            label={words.documents.add}
            icon={Upload}
            className={`btn-primary ${actions === null ? 'ml-auto' : ''}`}
            disabled={upload.isPending}
            onClick={() => picker.current?.click()}
          />
        ) : null}
        <FilePicker ref={picker} add={upload.mutate} />
      </TopBar>
      {tabs}
      <div
        className={`min-h-0 flex-1 overflow-y-auto p-4 md:px-6 ${isOver ? 'outline-2 -outline-offset-8 outline-accent outline-dashed' : ''}`}
      >
        <p className="mb-4 text-13 text-text-2">{isOver ? words.documents.drop : lead}</p>
        {children}
        <UploadState upload={upload} />
        <Documents path={listPath} mayChange={mayChange} />
      </div>
    </div>
  )
}

/** Progress and results of an upload. */
function UploadState({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const { words, describeError } = useWords()
  const { isPending, variables = [], error, progress, reading, failed } = upload
  const names = variables.map(({ name }) => showInvisible(name)).join(', ')
  return (
    <>
      {isPending ? (
        <p className="banner tone-info mb-3" role="status">
          <span className="spin mt-1" aria-hidden />
          <span className="min-w-0 wrap-anywhere">
            {reading === undefined
              ? words.documents.uploading({ name: names, percent: Math.floor(progress * 100) })
              : words.documents.reading({ name: showInvisible(reading) })}
          </span>
        </p>
      ) : null}
      <ErrorBanner error={error} />
      {failed.length === 0 ? null : (
        <div className="banner tone-bad mb-3" role="alert">
          <CircleAlert size={16} aria-hidden />
          <div className="min-w-0 flex-1">
            <b>{words.reading.refused({ n: failed.length })}</b>
            <ul className="flex flex-col gap-1">
              {failed.map((file, at) => (
                <li key={at} className="wrap-anywhere">
                  {/* Most errors of the server contain the name. */}
                  {describeError(file.error).text.includes(file.name) ? '' : `${showInvisible(file.name)}: `}
                  <ErrorText error={file.error} />
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </>
  )
}

function useUpload(listPath: string, uploadPath: string) {
  const [progress, setProgress] = useState(0)
  /** The file that is sent completely and read by the server. */
  const [reading, setReading] = useState<string>()
  const [failed, setFailed] = useState<readonly { readonly name: string; readonly error: Error }[]>([])
  const renew = useRenew([listPath])
  const upload = useMutation({
    // One at a time, so that each is listed as soon as possible. A failed file does not stop the others.
    mutationFn: async (files: readonly File[]) => {
      setFailed([])
      for (const [i, file] of files.entries()) {
        const onSent = (share: number): void => {
          setProgress((i + share) / files.length)
          setReading(share < 1 ? undefined : file.name)
        }
        onSent(0)
        try {
          await sendFile(uploadPath, file, onSent)
        } catch (error) {
          setFailed((files) => [...files, { name: file.name, error: error as Error }])
        }
        await renew()
      }
    },
    onSettled: renew,
  })
  return { ...upload, progress, reading, failed }
}

function Documents({ path, mayChange }: { path: string; mayChange: boolean }) {
  const { words } = useWords()
  const [search, setSearch] = useState('')
  const query = useDeferredValue(search.trim())
  const documents = usePagedList<Document>(`${path}?${new URLSearchParams({ search: query })}`)
  const hidden = useHiddenPaths()
  const pathOf = ({ documentId }: Document): string => `${path}/${encodeURIComponent(documentId)}`
  const remove = (document: Document): void =>
    deleteLater(pathOf(document), words.documents.removed({ name: document.name }), path)
  const rows = useMoves<HTMLTableSectionElement>()
  return (
    <Fetched query={documents}>
      {(all) => {
        const items = all.filter((one) => !hidden.has(pathOf(one)))
        const noneHint = mayChange ? words.documents.noneHint : words.session.readOnly
        if (items.length === 0 && search === '') {
          return <Empty icon={FileText} title={words.documents.none} hint={noneHint} />
        }
        return (
          <>
            <div className="mb-3 flex">
              <SearchField label={words.documents.search} value={search} onChange={setSearch} />
            </div>
            {items.length === 0 ? (
              <Empty icon={FileText} title={words.documents.noMatch} />
            ) : (
              <div className="card overflow-hidden">
                <table className="table">
                  <thead>
                    <tr>
                      <th>{words.documents.name}</th>
                      <th className="r hidden lg:table-cell">{words.documents.size}</th>
                      <th className="r hidden lg:table-cell">{words.documents.added}</th>
                      <th>
                        <span className="sr-only">{words.documents.remove}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody ref={rows}>
                    {items.map((document) => (
                      <Row
                        key={document.documentId}
                        document={document}
                        remove={mayChange ? () => remove(document) : undefined}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <More query={documents} />
          </>
        )
      }}
    </Fetched>
  )
}

/** @param remove absent for users who may not */
function Row({ document, remove }: { document: Document; remove: (() => void) | undefined }) {
  const { words, formats } = useWords()
  const { documentId, name, description, notes, bytes, pages, addedAt } = document
  const kilobytes = `${formats.number(Math.ceil(bytes / 1024))} kB`
  const pagesText = pages === undefined ? '' : ` · ${words.documents.pages({ n: pages, isSheet: hasSheets(name) })}`
  const size = `${kilobytes}${pagesText}`
  const added = formats.date(addedAt)
  return (
    <tr>
      <td className="w-full max-w-0">
        <RowLink to="/documents/$documentId" params={{ documentId }} text={name} />
        <span lang="en" className="cut block text-12 text-text-2" title={description}>
          {description}
        </span>
        <span className="block text-12 text-text-3 lg:hidden">
          {size} · {added}
        </span>
        {notes.map((note) => (
          <span key={note} className="block text-12 text-warn">
            <ServerText text={note} />
          </span>
        ))}
      </td>
      <td className="r hidden whitespace-nowrap text-text-2 lg:table-cell">{size}</td>
      <td className="r hidden whitespace-nowrap text-text-2 lg:table-cell">{added}</td>
      <td>
        {remove === undefined ? null : (
          <IconButton icon={Trash2} label={`${words.documents.remove}: ${name}`} onClick={remove} />
        )}
      </td>
    </tr>
  )
}
