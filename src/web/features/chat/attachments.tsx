import { FileText, FileX2, X } from 'lucide-react'
import { ApiError } from '../../../client/api.ts'
import { ErrorText } from '../../ui/states.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { Cut } from '../../ui/list.tsx'
import { useWords } from '../../locales/words.tsx'
import type { Attachment } from './use-attachments.ts'
import { IconButton } from '../../ui/button.tsx'

/** The files of the question: on their way, there, or refused with the reason. */
export function AttachmentList({ files, remove }: { files: readonly Attachment[]; remove: (id: number) => void }) {
  const { words, formats } = useWords()
  if (files.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2 px-3 pt-3" aria-label={words.composer.files}>
      {files.map(({ id, name, sent, documentId, refused, code = 'DocumentError' }) => (
        <li key={id} className={`chip h-auto min-h-7 py-0.5 pr-1 ${refused === undefined ? '' : 'tone-bad'}`}>
          {refused === undefined ? (
            documentId === undefined ? (
              <span className="spin" aria-hidden />
            ) : (
              <FileText size={14} aria-hidden className="flex-none" />
            )
          ) : (
            <FileX2 size={14} aria-hidden className="flex-none" />
          )}
          <span className="min-w-0">
            <Cut text={showInvisible(name)} className="block max-w-60" />
            {refused === undefined ? null : (
              <span className="block wrap-anywhere" role="alert">
                {refused === '' ? (
                  words.composer.notSent
                ) : (
                  <ErrorText error={new ApiError(0, { code, detail: refused })} />
                )}
              </span>
            )}
          </span>
          {documentId === undefined && refused === undefined ? (
            <span className="mono text-text-3" role="status">
              {sent < 1 ? formats.percent(sent) : words.composer.reading}
            </span>
          ) : null}
          <IconButton
            icon={X}
            size={14}
            label={`${words.composer.takeOut}: ${name}`}
            className="size-6!"
            title={words.composer.takeOut}
            onClick={() => remove(id)}
          />
        </li>
      ))}
    </ul>
  )
}
