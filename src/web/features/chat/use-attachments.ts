import { useCallback, useEffect, useRef, useState } from 'react'
import { api, ApiError } from '../../../client/api.ts'
import { sendFile } from '../../../client/upload.ts'
import { useKept } from './draft.ts'

export interface Attachment {
  readonly id: number
  readonly name: string
  /** From 0 to 1 while it is sent. */
  readonly sent: number
  readonly documentId?: string
  /** Why the server does not take it; empty where nobody knows, or it did not come to that. */
  readonly refused?: string
  /** What kind of refusal it is, as docs/errors.md has them. */
  readonly code?: string
}

interface Kept {
  /** The collection that holds those that were taken. */
  readonly documents?: string
  readonly files: readonly Attachment[]
}

const NONE: Kept = { files: [] }

interface Taken {
  readonly documents: string
  readonly items: readonly { readonly documentId?: string; readonly error?: string }[]
}

export interface Attachments {
  readonly files: readonly Attachment[]
  /** What the question names them by; undefined without any that was taken. */
  readonly documents: string | undefined
  readonly isSending: boolean
  readonly add: (files: readonly File[]) => void
  readonly remove: (id: number) => void
  /** @returns what puts them back */
  readonly clear: () => () => void
}

/**
 * Files of the question that is being written. They are sent one after the other: the first one begins their collection. Like what
 * is typed they are kept; one that was on its way when the page was left is said to be missing.
 */
export function useAttachments(place: string): Attachments {
  const [{ files, documents }, setKept] = useKept('files', place, NONE)
  const collection = useRef(documents)
  const queue = useRef<Promise<void>>(Promise.resolve())
  const next = useRef(Math.max(-1, ...files.map(({ id }) => id)) + 1)
  const gone = useRef<ReadonlySet<number>>(new Set())
  const setFiles = useCallback(
    (to: (all: readonly Attachment[]) => readonly Attachment[]) =>
      setKept((now) => {
        const changed = to(now.files)
        return changed.length === 0
          ? NONE
          : { ...(collection.current === undefined ? {} : { documents: collection.current }), files: changed }
      }),
    [setKept],
  )
  const change = useCallback(
    (id: number, to: Partial<Attachment>) => {
      setFiles((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)))
    },
    [setFiles],
  )
  useEffect(() => {
    if (files.some(isOnItsWay)) setFiles((all) => all.map((one) => (isOnItsWay(one) ? { ...one, refused: '' } : one)))
  }, [])
  const send = useCallback(
    async (id: number, file: File) => {
      if (gone.current.has(id)) return
      const to = collection.current === undefined ? '' : `?to=${collection.current}`
      try {
        const { documents, items } = await sendFile<Taken>({}, `/attachments${to}`, file, {
          onSent: (sent) => change(id, { sent }),
        })
        const { documentId, error } = items[0]!
        if (documentId !== undefined && gone.current.has(id)) return void takeBack(documents, documentId)
        if (documentId !== undefined) collection.current = documents
        change(id, {
          sent: 1,
          ...(documentId === undefined ? { refused: error ?? '', code: 'DocumentError' } : { documentId }),
        })
      } catch (thrown) {
        // What the server does not say is said by the browser, in its own words and language.
        change(id, {
          sent: 1,
          ...(thrown instanceof ApiError ? { refused: thrown.message, code: thrown.code } : { refused: '' }),
        })
      }
    },
    [change],
  )
  const add = useCallback(
    (added: readonly File[]) => {
      for (const file of added) {
        const id = next.current++
        setFiles((all) => [...all, { id, name: file.name, sent: 0 }])
        queue.current = queue.current.then(() => send(id, file))
      }
    },
    [send, setFiles],
  )
  const remove = useCallback(
    (id: number) => {
      gone.current = new Set([...gone.current, id])
      setFiles((all) => {
        const documentId = all.find((one) => one.id === id)?.documentId
        if (documentId !== undefined && collection.current !== undefined) void takeBack(collection.current, documentId)
        return all.filter((one) => one.id !== id)
      })
    },
    [setFiles],
  )
  const clear = useCallback(() => {
    const before = collection.current
    collection.current = undefined
    setFiles(() => [])
    return () =>
      setFiles((since) => {
        if (since.length > 0) return since
        collection.current = before
        return files
      })
  }, [files, setFiles])
  const isReady = files.some(({ documentId }) => documentId !== undefined)
  return {
    files,
    documents: isReady ? collection.current : undefined,
    isSending: files.some(isOnItsWay),
    add,
    remove,
    clear,
  }
}

function isOnItsWay({ documentId, refused }: Attachment): boolean {
  return documentId === undefined && refused === undefined
}

/** One that cannot be taken back now is in nobody's way: without a question that names it, it goes. */
function takeBack(documents: string, documentId: string): Promise<void> {
  return api.delete<void>(`/attachments/${documents}/${encodeURIComponent(documentId)}`).catch(() => undefined)
}

/** Files that are dragged anywhere over the page are for the question. */
export function useDroppedFiles(add: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      add([...event.dataTransfer.files])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [add])
  return isOver
}
