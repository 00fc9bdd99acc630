import { HoverCard } from 'radix-ui'
import { hasSheets } from '../../../client/run.ts'
import { useState } from 'react'
import type { ShownSource } from '../../run/sources.ts'
import { OriginBadge } from '../../ui/source-kind.tsx'
import { useWords } from '../../locales/words.tsx'

interface CiteProps {
  readonly shown: ShownSource & { readonly n: number }
  readonly isOpen: boolean
  readonly press: () => void
}

/** A citation mark. Shows its source on hover or focus and opens it on click. */
export function Cite({ shown: { n, source }, isOpen, press }: CiteProps) {
  const { words } = useWords()
  const [isSeen, setSeen] = useState(false)
  const { page, section } = source.passage ?? {}
  const place = [
    page === undefined ? undefined : words.panel.page({ n: page, isSheet: hasSheets(source.name) }),
    section,
  ]
    .filter(Boolean)
    .join(' · ')
  const text = source.excerpt ?? source.detail
  return (
    <HoverCard.Root open={isSeen && !isOpen} onOpenChange={setSeen} openDelay={250} closeDelay={120}>
      <HoverCard.Trigger asChild>
        <button
          type="button"
          className="cite"
          aria-pressed={isOpen}
          aria-label={`${words.answer.sources} ${n}: ${source.name}`}
          onClick={() => {
            setSeen(false)
            press()
          }}
        >
          {n}
        </button>
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content
          data-floats
          className="menu no-print flex w-90 max-w-[92vw] flex-col gap-2 p-3!"
          side="top"
          sideOffset={6}
          collisionPadding={8}
        >
          <p className="flex items-start gap-2">
            <b className="min-w-0 flex-1 wrap-anywhere">{source.name}</b>
            <OriginBadge kind={source.kind} />
          </p>
          {place === '' ? null : <p className="text-12 text-text-2">{place}</p>}
          {text === undefined ? null : (
            <blockquote
              className={`max-h-36 overflow-y-auto wrap-anywhere ${source.excerpt === undefined ? 'mono whitespace-pre-wrap' : ''}`}
            >
              {text}
            </blockquote>
          )}
          <p className="text-12 text-text-3">{words.reading.opens}</p>
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  )
}
