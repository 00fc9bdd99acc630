import { useWords } from '../locales/words.tsx'
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
