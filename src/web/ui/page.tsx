import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../locales/words.tsx'
import { Loading, LoadError } from './states.tsx'
import { TopBar } from './top-bar.tsx'
import { Button } from './button.tsx'

interface PageProps {
  readonly title: ReactNode
  /** One sentence about the purpose of the page. */
  readonly lead?: string
  /** Actions in the page bar. */
  readonly actions?: ReactNode
  /** Tabs of the page. */
  readonly tabs?: ReactNode
  readonly children: ReactNode
}

/** A page that scrolls below its bar. */
export function Page({ title, lead, actions, tabs, children }: PageProps) {
  return (
    <>
      <TopBar title={title}>{actions}</TopBar>
      {tabs}
      <div data-scrolls className="min-h-0 flex-1 overflow-y-auto p-4 md:px-6">
        {lead === undefined ? null : <p className="mb-4 text-13 text-text-2">{lead}</p>}
        {children}
      </div>
    </>
  )
}

type Query<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>

interface FetchedProps<T> {
  readonly query: Query<T>
  /** Number of placeholder lines while loading. */
  readonly lines?: number
  readonly children: (data: T) => ReactNode
}

/** Renders the result of a query: a placeholder while it loads, an error, or the data. */
export function Fetched<T>({ query, lines, children }: FetchedProps<T>) {
  const { data, error, refetch } = query
  return (
    <>
      <LoadError error={error} retry={() => void refetch()}>
        {data === undefined ? <Loading {...(lines === undefined ? {} : { lines })} /> : null}
      </LoadError>
      {data === undefined ? null : children(data)}
    </>
  )
}

/** Loads the next page of a list, if there is one. */
export function More({
  query,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}) {
  const { words } = useWords()
  if (!query.hasNextPage) return null
  return (
    <Button
      label={words.runs.more}
      className="mx-auto my-4 flex"
      disabled={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    />
  )
}

/** Title of a page below another one, with a link to that one. */
export function Subtitle({ to, parent, text }: { to: NonNullable<LinkProps['to']>; parent: string; text: string }) {
  return (
    <>
      <Link to={to} className="hidden font-normal text-text-3 sm:inline">
        {parent} ›
      </Link>{' '}
      {text}
    </>
  )
}
