import type { Ref } from 'react'
import { useWords } from '../../locales/words.tsx'
import type { QueryCheck } from './query-check.tsx'

interface EditorProps {
  readonly field: Ref<HTMLTextAreaElement>
  readonly sql: string
  /** The underlined range. */
  readonly mark: QueryCheck['at']
  readonly write: (sql: string) => void
  readonly start: () => void
}

const TEXT = 'mono min-h-32 w-full px-4 py-3 whitespace-pre-wrap wrap-break-word [grid-area:1/1]'

/** SQL input that grows with its text. A copy of the text below it shows the underline. */
export function Editor({ field, sql, mark, write, start }: EditorProps) {
  const { words } = useWords()
  return (
    <div className="grid">
      <pre className={`${TEXT} pointer-events-none text-transparent select-none`} aria-hidden>
        {mark === undefined ? (
          sql
        ) : (
          <>
            {sql.slice(0, mark.from)}
            <span className="underline decoration-bad decoration-wavy decoration-from-font underline-offset-4">
              {sql.slice(mark.from, mark.to)}
            </span>
            {sql.slice(mark.to)}
          </>
        )}
        {/* Else a line that was just begun has no height. */}
        {'\n'}
      </pre>
      <textarea
        ref={field}
        className={`${TEXT} block resize-none overflow-hidden bg-transparent outline-none`}
        aria-label={words.data.query}
        placeholder="SELECT …"
        spellCheck={false}
        value={sql}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) start()
        }}
      />
    </div>
  )
}
