import { Play } from 'lucide-react'
import { useIsAdmin } from '../app/session.ts'
import { useWords } from '../locales/words.tsx'
import { LinkButton } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

/** Code to read and to take along. */
export function Code({ text, label }: { text: string; label?: string }) {
  const { words } = useWords()
  return (
    <div className="relative w-full min-w-0">
      <pre className="code pr-12" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <span className="no-print absolute top-1.5 right-1.5 rounded-lg bg-(--code-bg)">
        <CopyButton text={text} label={label ?? words.reading.copyCode} />
      </span>
    </div>
  )
}

/**
 * The query behind a figure. Users with access to the database can run it again.
 * @param database absent if the query is already shown there, or no user is signed in
 */
export function Query({ sql, database }: { sql: string; database?: string | undefined }) {
  const { words } = useWords()
  return (
    <div className="flex flex-col items-start gap-2">
      <Code text={sql} label={words.reading.copySql} />
      {database === undefined ? null : <RunAgain sql={sql} database={database} />}
    </div>
  )
}

function RunAgain({ sql, database }: { sql: string; database: string }) {
  const { words } = useWords()
  if (!useIsAdmin()) return null
  return (
    <LinkButton
      icon={Play}
      label={words.reading.runAgain}
      className="no-print btn-sm"
      to="/data/$part"
      params={{ part: 'console' }}
      search={{ database, sql }}
    />
  )
}
