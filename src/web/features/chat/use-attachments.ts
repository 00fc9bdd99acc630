import { useEffect, useRef, useState } from 'react'
import { api, ApiError } from '../../../client/api.ts'
import { sendFile } from '../../app/send-file.ts'
import { useDraft } from './draft.ts'

export interface Attachment {
  readonly id: number
  readonly name: string
  /** Upload progress from 0 to 1. */
  readonly sent: number
  readonly documentId?: string
  /** Why the server rejected the file; empty if unknown or if the upload did not finish. */
  readonly refused?: string
  /** Error code, as listed in docs/errors.md. */
  readonly code?: string
}

interface StoredAttachments {
  /** Collection of the uploaded files. */
  readonly documents?: string | undefined
  readonly files: readonly Attachment[]
}

const NONE: StoredAttachments = { files: [] }

interface UploadReply {
  readonly documents: string
  readonly items: readonly { readonly documentId?: string; readonly error?: string }[]
}

/**
 * Attachments of the question being written. They are uploaded one after the other, since the first one creates their
 * collection. They are stored like the typed text. A file whose upload was interrupted by leaving the page is marked as
 * missing.
 */
export function useAttachments(place: string) {
  const [{ files, documents }, setStored] = useDraft('files', place, NONE)
  const collection = useRef(documents)
  /** Uploads and deletions under way, also of files that were removed meanwhile. */
  const [pending, setPending] = useState(0)
  const track = async (work: Promise<void>): Promise<void> => {
    setPending((count) => count + 1)
    await work.finally(() => setPending((count) => count - 1))
  }
  const queue = useRef<Promise<void>>(Promise.resolve())
  const next = useRef(Math.max(-1, ...files.map(({ id }) => id)) + 1)
  const removedIds = useRef<ReadonlySet<number>>(new Set())
  const setFiles = (to: (all: readonly Attachment[]) => readonly Attachment[]): void =>
    setStored((now) => {
      const changed = to(now.files)
      return changed.length === 0 ? NONE : { documents: collection.current, files: changed }
    })
  const change = (id: number, to: Partial<Attachment>): void =>
    setFiles((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)))
  useEffect(() => {
    if (files.some(isUploading)) setFiles((all) => all.map((one) => (isUploading(one) ? { ...one, refused: '' } : one)))
  }, [])
  const send = async (id: number, file: File): Promise<void> => {
    if (removedIds.current.has(id)) return
    const to = collection.current === undefined ? '' : `?to=${collection.current}`
    try {
      const { documents, items } = await sendFile<UploadReply>(`/attachments${to}`, file, (sent) =>
        change(id, { sent }),
      )
      const { documentId, error } = items[0]!
      if (documentId !== undefined && removedIds.current.has(id)) return await deleteUpload(documents, documentId)
      if (documentId !== undefined) collection.current = documents
      change(id, {
        sent: 1,
        ...(documentId === undefined ? { refused: error ?? '', code: 'DocumentError' } : { documentId }),
      })
    } catch (thrown) {
      // Without an error from the server, use the browser's message in the browser's language.
      change(id, {
        sent: 1,
        ...(thrown instanceof ApiError ? { refused: thrown.message, code: thrown.code } : { refused: '' }),
      })
    }
  }
  const add = (added: readonly File[]): void => {
    for (const file of added) {
      const id = next.current++
      setFiles((all) => [...all, { id, name: file.name, sent: 0 }])
      queue.current = queue.current.then(() => send(id, file))
      void track(queue.current)
    }
  }
  const remove = (id: number): void => {
    removedIds.current = new Set([...removedIds.current, id])
    setFiles((all) => {
      const documentId = all.find((one) => one.id === id)?.documentId
      if (documentId !== undefined && collection.current !== undefined) {
        void track(deleteUpload(collection.current, documentId))
      }
      return all.filter((one) => one.id !== id)
    })
  }
  /** @returns a function that restores the files */
  const clear = (): (() => void) => {
    const before = collection.current
    collection.current = undefined
    setFiles(() => [])
    return () =>
      setFiles((since) => {
        if (since.length > 0) return since
        collection.current = before
        return files
      })
  }
  const isReady = files.some(({ documentId }) => documentId !== undefined)
  return {
    files,
    /** Collection ID for the question; undefined without an uploaded file. */
    documents: isReady ? collection.current : undefined,
    /** Whether files are being uploaded or deleted: a question sent now would have others. */
    isSending: pending > 0,
    add,
    remove,
    clear,
  }
}

function isUploading({ documentId, refused }: Attachment): boolean {
  return documentId === undefined && refused === undefined
}

/** Deletes an uploaded file. Ignores errors: a file that no question names is deleted later anyway. */
function deleteUpload(documents: string, documentId: string): Promise<void> {
  return api.delete<void>(`/attachments/${documents}/${encodeURIComponent(documentId)}`).catch(() => undefined)
}

/** Accepts files dropped anywhere on the page. */
export function useDroppedFiles(add: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void): void =>
      addEventListener(type, act, { signal: controller.signal })
    const hasFiles = (event: DragEvent): boolean => {
      if (event.dataTransfer?.types.includes('Files') !== true) return false
      event.preventDefault()
      return true
    }
    listen('dragover', (event) => {
      if (hasFiles(event)) setOver(true)
    })
    listen('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false)
    })
    listen('drop', (event) => {
      if (!hasFiles(event)) return
      setOver(false)
      add([...event.dataTransfer!.files])
    })
    return () => controller.abort()
  }, [add])
  return isOver
}
