import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { api } from '../../../client/api.ts'
import type { Schemas } from '../../../client/api-types.ts'
import { useMayChange } from '../../app/session.ts'
import { Field } from '../../ui/field.tsx'
import { ErrorBanner } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

type GivenFeedback = Pick<Schemas['Feedback'], 'thumb' | 'reason'>

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

/** Whether an answer was right, and what is wrong with it. */
export function Feedback({ runId }: { runId: string }) {
  const { words } = useWords()
  const [isOpen, setOpen] = useState(false)
  const mayChange = useMayChange()
  const client = useQueryClient()
  const path = `/runs/${encodeURIComponent(runId)}/feedback`
  const key = ['feedback', runId]
  const feedback = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<{ feedback?: GivenFeedback }>(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.feedback
  const give = useMutation({
    mutationFn: (one: GivenFeedback) => api.post<GivenFeedback>(path, one),
    onSuccess: (feedback) => client.setQueryData(key, { feedback }),
  })
  if (!mayChange) return null
  const press = (thumb: GivenFeedback['thumb']): void => {
    setOpen(thumb === 'down')
    if (feedback?.thumb !== thumb) give.mutate({ thumb })
  }
  const explain = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].filter(([, text]) => String(text).trim() !== '')
    give.mutate({ thumb: 'down', ...Object.fromEntries(fields) }, { onSuccess: () => setOpen(false) })
  }
  return (
    <>
      <div
        className="ml-auto flex items-center gap-1 pl-2 text-12 text-text-2"
        role="group"
        aria-label={words.feedback.ask}
      >
        <span className="mr-1">{feedback === undefined ? words.feedback.ask : words.feedback.kept}</span>
        {(['up', 'down'] as const).map((thumb) => {
          const Icon = thumb === 'up' ? ThumbsUp : ThumbsDown
          return (
            <button
              key={thumb}
              type="button"
              className="btn btn-ghost btn-icon btn-sm"
              aria-label={thumb === 'up' ? words.feedback.right : words.feedback.wrong}
              aria-pressed={feedback?.thumb === thumb}
              onClick={() => press(thumb)}
            >
              <Icon size={16} aria-hidden fill={feedback?.thumb === thumb ? 'currentColor' : 'none'} />
            </button>
          )
        })}
      </div>
      {isOpen ? (
        <form ref={intoView} className="card ml-2 flex basis-full flex-col gap-2 p-3" onSubmit={explain}>
          <Field label={words.feedback.reason} name="reason" maxLength={2_000} defaultValue={feedback?.reason} />
          <Button
            label={words.feedback.send}
            className="btn-primary btn-sm self-start"
            type="submit"
            disabled={give.isPending}
          />
        </form>
      ) : null}
      {give.error === null ? null : (
        <div ref={intoView} className="ml-2 basis-full">
          <ErrorBanner error={give.error} isInText />
        </div>
      )}
    </>
  )
}
