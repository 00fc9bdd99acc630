import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../client/api.ts'
import { sendFile } from '../../../client/upload.ts'

export interface Attachment {
  readonly id: number
  readonly name: string
  /** From 0 to 1 while it is sent. */
  readonly sent: number
  readonly documentId?: string
  /** Why the server does not take it. */
  readonly refused?: string
}

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
  readonly clear: () => void
}

/** Files of the question that is being written. They are sent one after the other: the first one begins their collection. */
export function useAttachments(): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const collection = useRef<string | undefined>(undefined)
  const queue = useRef<Promise<void>>(Promise.resolve())
  const next = useRef(0)
  const gone = useRef<ReadonlySet<number>>(new Set())
  const change = useCallback((id: number, to: Partial<Attachment>) => {
    setFiles((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)))
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
        change(id, { sent: 1, ...(documentId === undefined ? { refused: error ?? '' } : { documentId }) })
      } catch (thrown) {
        change(id, { sent: 1, refused: (thrown as Error).message })
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
    [send],
  )
  const remove = useCallback((id: number) => {
    gone.current = new Set([...gone.current, id])
    setFiles((all) => {
      const documentId = all.find((one) => one.id === id)?.documentId
      if (documentId !== undefined && collection.current !== undefined) void takeBack(collection.current, documentId)
      return all.filter((one) => one.id !== id)
    })
  }, [])
  const clear = useCallback(() => {
    collection.current = undefined
    setFiles([])
  }, [])
  const isReady = files.some(({ documentId }) => documentId !== undefined)
  return {
    files,
    documents: isReady ? collection.current : undefined,
    isSending: files.some(({ documentId, refused }) => documentId === undefined && refused === undefined),
    add,
    remove,
    clear,
  }
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
