import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useWords } from '../../locales/words.tsx'

/** Versions of a question. Each version is a separate conversation from here on. */
export function Versions({ all }: { all: readonly string[] }) {
  const { words } = useWords()
  const { conversationId } = useParams({ strict: false })
  const at = all.indexOf(conversationId ?? '')
  const look = 'btn btn-ghost btn-icon btn-sm'
  const step = (to: number, label: string, Icon: typeof ChevronLeft) => {
    const id = all[to]
    return id === undefined ? (
      <span className={look} aria-disabled="true">
        <Icon size={14} aria-hidden />
      </span>
    ) : (
      <Link to="/c/$conversationId" params={{ conversationId: id }} className={look} aria-label={label} title={label}>
        <Icon size={14} aria-hidden />
      </Link>
    )
  }
  return (
    <nav className="flex items-center text-12 text-text-2" aria-label={words.answer.versions}>
      {step(at - 1, words.answer.earlierVersion, ChevronLeft)}
      <span className="num">{words.answer.version({ at: at + 1, all: all.length })}</span>
      {step(at + 1, words.answer.laterVersion, ChevronRight)}
    </nav>
  )
}
