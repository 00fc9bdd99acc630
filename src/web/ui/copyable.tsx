import { useWords } from '../locales/words.tsx'
import { CopyButton } from './copy-button.tsx'

/** A text to take along, such as a key that is shown once. @param shown how it is easier to read */
export function Copyable({ text, shown = text }: { text: string; shown?: string }) {
  const { words } = useWords()
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-surface-2 py-1.5 pr-1.5 pl-3">
      <code className="mono min-w-0 flex-1 break-all whitespace-pre-wrap">{shown}</code>
      <CopyButton text={text} label={words.answer.copy}>
        {words.answer.copy}
      </CopyButton>
    </div>
  )
}
