import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../words/words.tsx'

/** A text to take along, such as a key that is shown once. */
export function Copyable({ text }: { text: string }) {
  const { words } = useWords()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-surface-2 py-1.5 pr-1.5 pl-3">
      <code className="mono min-w-0 flex-1 break-all">{text}</code>
      <button
        type="button"
        className="btn btn-sm"
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        {isCopied ? words.answer.copied : words.answer.copy}
      </button>
    </div>
  )
}
