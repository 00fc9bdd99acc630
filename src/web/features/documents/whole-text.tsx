import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../client/api.ts'
import type { Answer } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Banner, LoadError } from '../../ui/states.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'
import { MarkedText } from './marked-text.tsx'
import type { TextRange } from './document-view.tsx'

/** Characters of a piece. */
const PIECE = 30_000
/** Text shown before a passage further down. */
const BEFORE = 2_000

type Piece = Answer<'GET /documents/{documentId}/text'>
type FromAndLimit = readonly [from: number, limit: number]

interface WholeTextProps {
  readonly documentId: string
  readonly name: string
  readonly mark?: TextRange | undefined
}

/** The text of a document. Long ones start at the marked passage and load more while scrolling. */
export function WholeText({ documentId, name, mark }: WholeTextProps) {
  const { words } = useWords()
  const address = `/documents/${encodeURIComponent(documentId)}/text`
  const [begin, setBegin] = useState(beginFor(mark))
  const query = useInfiniteQuery({
    queryKey: [address, begin],
    queryFn: ({ pageParam: [from, limit], signal }) => api.get<Piece>(`${address}?from=${from}&limit=${limit}`, signal),
    initialPageParam: [begin, PIECE] as FromAndLimit,
    getNextPageParam: ({ next }): FromAndLimit | undefined => (next === undefined ? undefined : [next, PIECE]),
    getPreviousPageParam: ({ start }): FromAndLimit | undefined => {
      const from = Math.max(0, start - PIECE)
      return start === 0 ? undefined : [from, start - from]
    },
  })
  const { data, error, hasNextPage, hasPreviousPage, isFetching, fetchNextPage, fetchPreviousPage } = query
  const start = data?.pages[0]!.start ?? 0
  const text = data?.pages.map((piece) => piece.text).join('') ?? ''
  const end = start + text.length
  const isWanted = mark !== undefined && data !== undefined
  const isBefore = isWanted && mark.start < start
  const isAfter = isWanted && mark.end > end
  const isGone = isAfter && !hasNextPage
  useEffect(() => {
    if (isFetching || error !== null) return
    // Load the next piece if the mark extends beyond this one; otherwise jump to it.
    if (isAfter && hasNextPage && mark!.start <= end) void fetchNextPage()
    else if (isGone && text === '') setBegin(0)
    else if (isBefore || (isAfter && !isGone)) setBegin(beginFor(mark))
  }, [isFetching, error, isAfter, isBefore, isGone, hasNextPage, mark, end, text, fetchNextPage])
  const foot = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const button = foot.current
    if (button === null || isFetching || error !== null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage()
    })
    observer.observe(button)
    return () => observer.disconnect()
  }, [isFetching, error, hasNextPage, fetchNextPage])
  if (data === undefined) return <Fetched query={query} lines={8} children={() => null} />
  const place = isWanted && !isBefore && !isAfter ? { start: mark.start - start, end: mark.end - start } : undefined
  return (
    <>
      {isGone ? <Banner tone="warn" text={words.document.noPassage} /> : null}
      {hasPreviousPage ? (
        <Button
          label={words.document.earlier}
          className="btn-sm self-center"
          disabled={isFetching}
          onClick={() => void fetchPreviousPage()}
        />
      ) : null}
      <div className="mx-auto w-full max-w-170 rounded-xl border border-line bg-surface p-4 text-14 whitespace-pre-wrap wrap-anywhere shadow-sm">
        <MarkedText name={name} text={text} mark={place} />
      </div>
      <LoadError error={error} isInText retry={() => void fetchNextPage()} />
      {hasNextPage ? (
        <Button
          ref={foot}
          label={words.document.goOn}
          className="btn-sm self-center"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
        />
      ) : null}
    </>
  )
}

/** Start of the first piece, so that it contains the marked text. */
function beginFor(mark: TextRange | undefined): number {
  return mark === undefined || mark.start < PIECE - BEFORE ? 0 : mark.start - BEFORE
}
