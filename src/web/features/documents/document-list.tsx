import type { Schemas } from '../../../client/api-types.ts'
import { hasSheets } from '../../../client/run.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, FileText, Trash2, Upload } from 'lucide-react'
import { useDeferredValue, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { sendFile } from '../../../client/upload.ts'
import { usePagedList, useRenew } from '../../app/data.ts'
import { SearchField } from '../../ui/field.tsx'
import { deleteLater, useHiddenPaths } from '../../ui/undo.tsx'
import { Fetched, More } from '../../ui/page.tsx'
import { Empty, ErrorText, ServerText, Trouble } from '../../ui/states.tsx'
import { TopBar } from '../../ui/top-bar.tsx'
import { useMoves } from '../../ui/use-keys.ts'
import { showInvisible } from '../../ui/show-invisible.ts'
import type { Words } from '../../locales/texts.ts'
import { useWords } from '../../locales/words.tsx'
import { IconButton } from '../../ui/button.tsx'

type Document = Schemas['Document']

/** Paths of a document list: for listing, removing and adding. */
interface Place {
  readonly list: string
  readonly add: string
}

/** Results of uploaded files. */
type Items = readonly { readonly name: string; readonly status: 'added' | 'unchanged' | 'failed' }[]

interface Refused {
  readonly name: string
  readonly error: Error
}

interface DocumentListProps {
  readonly title: ReactNode
  readonly lead: string
  readonly place: Place
  readonly mayChange: boolean
  readonly tabs?: ReactNode
  /** What else can be done, in the bar. */
  readonly actions?: ReactNode
  /** Content above the documents. */
  readonly children?: ReactNode
}

/** Documents that lie together, as a page. Files can be dropped anywhere on it. */
export function DocumentList({ title, lead, place, mayChange, tabs, actions, children }: DocumentListProps) {
  const { words, describeError: tell } = useWords()
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const { upload, sent, reading, unchanged, refused } = useUpload(place)
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
          <button
            type="button"
            className={`btn btn-primary ${actions === undefined ? 'ml-auto' : ''}`}
            disabled={upload.isPending}
            onClick={() => picker.current?.click()}
          >
            <Upload size={16} aria-hidden />
            {words.documents.add}
          </button>
        ) : null}
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
      {tabs}
      <div
        className={`min-h-0 flex-1 overflow-y-auto p-4 md:px-6 ${isOver ? 'outline-2 -outline-offset-8 outline-accent outline-dashed' : ''}`}
      >
        <p className="mb-4 text-13 text-text-2">{isOver ? words.documents.drop : lead}</p>
        {children}
        {upload.isPending ? (
          <p className="banner tone-info mb-3" role="status">
            <span className="spin mt-1" aria-hidden />
            <span className="min-w-0 wrap-anywhere">
              {reading === undefined
                ? words.documents.uploading({ name: namesOf(upload.variables, words), percent: Math.floor(sent * 100) })
                : words.documents.reading({ name: showInvisible(reading) })}
            </span>
          </p>
        ) : null}
        {unchanged.length === 0 ? null : (
          <p className="banner tone-info mb-3 wrap-anywhere" role="status">
            {words.documents.unchanged({ names: namesOf(unchanged, words), n: unchanged.length })}
          </p>
        )}
        {upload.error === null ? null : <Trouble error={upload.error} />}
        {refused.length === 0 ? null : (
          <div className="banner tone-bad mb-3" role="alert">
            <CircleAlert size={16} aria-hidden />
            <div className="min-w-0 flex-1">
              <b>{words.reading.refused({ n: refused.length })}</b>
              <ul className="flex flex-col gap-1">
                {refused.map(({ name, error }, at) => (
                  <li key={at} className="wrap-anywhere">
                    {/* The server names most of them itself. */}
                    {tell(error).text.includes(name) ? '' : `${showInvisible(name)}: `}
                    <ErrorText error={error} />
                  </li>
                ))}
              </ul>
            </div>
          </div>
        )}
        <List place={place} mayChange={mayChange} />
      </div>
    </div>
  )
}

/** Of many files the first ones, and how many more. */
const NAMED = 3

function namesOf(files: readonly { readonly name: string }[], words: Words): string {
  const named = files.length > NAMED + 1 ? files.slice(0, NAMED) : files
  const names = named.map(({ name }) => showInvisible(name)).join(', ')
  return named === files ? names : words.documents.more({ names, n: files.length - NAMED })
}

function useUpload({ list, add }: Place) {
  const [sent, setSent] = useState(0)
  /** The file that is with the server as a whole. */
  const [reading, setReading] = useState<string | undefined>()
  const [unchanged, setUnchanged] = useState<Items>([])
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const renew = useRenew(list)
  const upload = useMutation({
    // One at a time, so that each is there as soon as it can be. What cannot be read does not stop the others.
    mutationFn: async (files: readonly File[]) => {
      const failed: Refused[] = []
      const same: Items[number][] = []
      setRefused([])
      setUnchanged([])
      for (const [i, file] of files.entries()) {
        const onSent = (share: number): void => {
          setSent((i + share) / files.length)
          setReading(share < 1 ? undefined : file.name)
        }
        onSent(0)
        await sendFile<{ readonly items: Items }>({}, add, file, { onSent })
          .then(({ items }) => same.push(...items.filter(({ status }) => status === 'unchanged')))
          .catch((error: Error) => {
            failed.push({ name: file.name, error })
          })
        await renew()
      }
      setUnchanged(same)
      setRefused(failed)
    },
    onSettled: renew,
  })
  return { upload, sent, reading, unchanged, refused }
}

function List({ place: { list }, mayChange }: Pick<DocumentListProps, 'place' | 'mayChange'>) {
  const { words } = useWords()
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search.trim())
  const documents = usePagedList<Document>(`${list}?${new URLSearchParams({ search: sought }).toString()}`)
  const hidden = useHiddenPaths()
  const pathOf = ({ documentId }: Document): string => `${list}/${encodeURIComponent(documentId)}`
  const remove = (document: Document): void =>
    deleteLater(pathOf(document), words.documents.removed({ name: document.name }), list)
  const rows = useMoves<HTMLTableSectionElement>()
  return (
    <>
      <Fetched query={documents}>
        {(all) => {
          const items = all.filter((one) => !hidden.has(pathOf(one)))
          return items.length === 0 && search === '' ? (
            <Empty icon={FileText} title={words.documents.none}>
              {mayChange ? words.documents.noneHint : words.session.readOnly}
            </Empty>
          ) : (
            <>
              <div className="mb-3 flex">
                <SearchField label={words.documents.search} value={search} say={setSearch} />
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
                          {...(mayChange ? { remove: () => remove(document) } : {})}
                        />
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
              <More of={documents} />
            </>
          )
        }}
      </Fetched>
    </>
  )
}

interface RowProps {
  readonly document: Document
  /** Absent where they may not. */
  readonly remove?: () => void
}

function Row({ document: { documentId, name, description, notes, bytes, pages, addedAt }, remove }: RowProps) {
  const { words, formats } = useWords()
  const size = `${formats.number(Math.ceil(bytes / 1024))} kB${pages === undefined ? '' : ` · ${words.documents.pages({ n: pages, isSheet: hasSheets(name) })}`}`
  const added = formats.date(Date.parse(addedAt))
  return (
    <tr>
      <td className="w-full max-w-0">
        <Link
          to="/documents/$documentId"
          params={{ documentId }}
          data-move
          className="cut block font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        <span lang="en" className="cut block text-12 text-text-2" title={description}>
          <ServerText text={description} />
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
          <IconButton
            icon={Trash2}
            label={`${words.documents.remove}: ${name}`}
            title={words.documents.remove}
            onClick={remove}
          />
        )}
      </td>
    </tr>
  )
}
