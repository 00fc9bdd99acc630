import { Brain, Pencil, Plus, Trash2 } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { offerUndo } from '../../ui/undo.tsx'
import { useWords } from '../../locales/words.tsx'
import { IconButton } from '../../ui/button.tsx'

const FACTS = ['userName', 'companyName', 'jobTitle', 'recentProjects'] as const
const PREFERENCES = ['tone', 'detailLevel', 'language'] as const
type Name = (typeof FACTS)[number] | (typeof PREFERENCES)[number]
type Value = string | readonly string[]

interface Entry {
  readonly field: Name
  readonly value: Value
  readonly source: { readonly by: 'run' | 'user'; readonly runId?: string; readonly at: string }
}

/** Memory about the user, with the source of each entry. Entries can be corrected or erased. */
export function Memory() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const memory = useGet<{ readonly entries: readonly Entry[] }>('/memory')
  const [isSure, setSure] = useState(false)
  const write = useChange(({ field, value }: Pick<Entry, 'field' | 'value'>) => {
    return api.put(`/memory/${field}`, { value })
  }, '/memory')
  const erase = useChange((field: Name) => api.delete(`/memory/${field}`), '/memory')
  const eraseAll = useChange(() => api.delete('/memory'), '/memory')
  const part = (title: string, lead: string, fields: readonly Name[], entries: readonly Entry[]) => {
    return (
      <Section title={title} lead={lead}>
        <ul>
          {fields.map((field) => (
            <Line
              key={field}
              field={field}
              entry={entries.find((one) => one.field === field)}
              mayChange={mayChange}
              write={(value) => write.mutateAsync({ field, value })}
              erase={(value) => {
                const text = words.memory.erased({ what: words.memory.field[field] })
                const undo = (): void => write.mutate({ field, value })
                erase.mutate(field, { onSuccess: () => offerUndo({ text, undo }) })
              }}
            />
          ))}
        </ul>
      </Section>
    )
  }
  return (
    <>
      <p className="mb-4 text-13 text-text-2">{words.memory.lead}</p>
      {[write.error, erase.error, eraseAll.error].map((error, at) =>
        error === null ? null : <Trouble key={at} error={error} />,
      )}
      <Fetched query={memory}>
        {({ entries }) => (
          <>
            {entries.length > 0 ? null : (
              <p className="banner tone-info mb-4">
                <Brain size={16} aria-hidden />
                <span>
                  <b>{words.memory.none}</b> {words.memory.noneHint}
                </span>
              </p>
            )}
            {part(words.memory.facts, words.memory.factsLead, FACTS, entries)}
            {part(words.memory.preferences, words.memory.preferencesLead, PREFERENCES, entries)}
            <div className="flex flex-wrap items-center gap-3">
              <p className="min-w-0 flex-1 text-12 text-text-3">{words.memory.never}</p>
              {entries.length === 0 || !mayChange ? null : (
                <button type="button" className="btn btn-danger" onClick={() => setSure(true)}>
                  <Trash2 size={16} aria-hidden />
                  {words.memory.eraseAll}
                </button>
              )}
            </div>
          </>
        )}
      </Fetched>
      {isSure ? (
        <ConfirmDialog action={words.memory.eraseAll} yes={() => eraseAll.mutate()} close={() => setSure(false)}>
          {words.memory.eraseSure}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

interface LineProps {
  readonly field: Name
  readonly entry: Entry | undefined
  readonly mayChange: boolean
  readonly write: (value: Value) => Promise<unknown>
  readonly erase: (value: Value) => void
}

/** One field; E corrects it, Delete erases it, where the keyboard is on it. */
function Line({ field, entry, mayChange, write, erase }: LineProps) {
  const { words, formats } = useWords()
  const [draft, setDraft] = useState<string | undefined>()
  const label = words.memory.field[field]
  const text = [entry?.value ?? []].flat().join(', ')
  const save = (): void => {
    const trimmed = draft!.trim()
    const value = field === 'recentProjects' ? trimmed.split(',').map((one) => one.trim()) : trimmed
    void write(value).then(() => setDraft(undefined))
  }
  if (draft !== undefined) {
    return (
      <li className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0">
        <label className="flex flex-col gap-1 text-12 font-medium">
          {label}
          <input
            className="input"
            autoFocus
            maxLength={700}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={({ key }) => {
              if (key === 'Enter' && draft.trim() !== '') save()
              if (key === 'Escape') setDraft(undefined)
            }}
          />
        </label>
        <div className="flex flex-wrap items-center gap-2">
          <button type="button" className="btn btn-primary btn-sm" disabled={draft.trim() === ''} onClick={save}>
            {words.app.save}
          </button>
          <button type="button" className="btn btn-ghost btn-sm" onClick={() => setDraft(undefined)}>
            {words.app.cancel}
          </button>
          <span className="text-12 text-text-3">{words.memory.fromNow}</span>
        </div>
      </li>
    )
  }
  return (
    <li
      className="line"
      onKeyDown={({ key }) => {
        if (!mayChange) return
        if (key === 'e') setDraft(text)
        if (key === 'Delete' && entry !== undefined) erase(entry.value)
      }}
    >
      <div className="min-w-0 flex-1">
        <p className={`wrap-anywhere ${entry === undefined ? 'text-text-3' : ''}`}>
          <span className="inline-block w-36 text-text-2 max-sm:block">{label}</span> <b>{text}</b>
        </p>
        {entry === undefined ? null : (
          <p className="text-12 text-text-3">
            {entry.source.by === 'user' || entry.source.runId === undefined ? (
              words.memory.byYou
            ) : (
              <Link to="/runs/$runId" params={{ runId: entry.source.runId }} className="underline">
                {words.memory.byRun}
              </Link>
            )}{' '}
            · {formats.date(Date.parse(entry.source.at))}
          </p>
        )}
      </div>
      {mayChange ? (
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          aria-label={`${entry === undefined ? words.app.add : words.memory.correct}: ${label}`}
          onClick={() => setDraft(text)}
        >
          {entry === undefined ? <Plus size={14} aria-hidden /> : <Pencil size={14} aria-hidden />}
          {entry === undefined ? words.app.add : words.memory.correct}
        </button>
      ) : null}
      {entry === undefined || !mayChange ? null : (
        <IconButton
          icon={Trash2}
          size={14}
          label={`${words.memory.erase}: ${label}`}
          title={words.memory.erase}
          onClick={() => erase(entry.value)}
        />
      )}
    </li>
  )
}
