import { Brain, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, type Answer, useEndpoint } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { Banner, ErrorBanner } from '../../ui/states.tsx'
import { Fetched } from '../../ui/page.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { offerUndo } from '../../ui/undo.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'

const FACTS = ['userName', 'companyName', 'jobTitle', 'recentProjects'] as const
const PREFERENCES = ['tone', 'detailLevel', 'language'] as const

type Entry = Answer<'GET /memory'>['entries'][number]

/** Memory about the user, with the source of each entry. Entries can be corrected or erased. */
export function Memory() {
  const { words } = useWords()
  const mayChange = useMayChange()
  const write = useChange(
    ({ field, value }: Pick<Entry, 'field' | 'value'>) => api.put(`/memory/${field}`, { value }),
    '/memory',
  )
  const erase = useChange(async (entry: Entry) => {
    await api.delete(`/memory/${entry.field}`)
    const text = words.memory.erased({ what: words.memory.field[entry.field] })
    offerUndo({ text, undo: () => write.mutate(entry) })
  }, '/memory')
  const eraseAll = useChange(() => api.delete('/memory'), '/memory')
  const lines = (fields: readonly Entry['field'][], entries: readonly Entry[]) => (
    <ul>
      {fields.map((field) => (
        <Line
          key={field}
          field={field}
          entry={entries.find((one) => one.field === field)}
          mayChange={mayChange}
          write={(value) => write.mutateAsync({ field, value })}
          erase={erase.mutate}
        />
      ))}
    </ul>
  )
  return (
    <>
      <p className="mb-4 text-13 text-text-2">{words.memory.lead}</p>
      <ErrorBanner error={write.error ?? erase.error ?? eraseAll.error} />
      <Fetched query={useEndpoint('/memory')}>
        {({ entries }) => (
          <>
            {entries.length > 0 ? null : (
              <Banner
                tone="info"
                icon={Brain}
                text={`${words.memory.none} ${words.memory.noneHint}`}
                className="mb-4"
              />
            )}
            <Section title={words.memory.facts} lead={words.memory.factsLead}>
              {lines(FACTS, entries)}
            </Section>
            <Section title={words.memory.preferences} lead={words.memory.preferencesLead}>
              {lines(PREFERENCES, entries)}
            </Section>
            <div className="flex flex-wrap items-center gap-3">
              <p className="min-w-0 flex-1 text-12 text-text-3">{words.memory.never}</p>
              {entries.length === 0 || !mayChange ? null : (
                <ConfirmButton
                  label={words.memory.eraseAll}
                  icon={Trash2}
                  className="btn-danger"
                  consequences={words.memory.eraseSure}
                  yes={() => eraseAll.mutate()}
                />
              )}
            </div>
          </>
        )}
      </Fetched>
    </>
  )
}

interface LineProps {
  readonly field: Entry['field']
  readonly entry: Entry | undefined
  readonly mayChange: boolean
  readonly write: (value: Entry['value']) => Promise<unknown>
  readonly erase: (entry: Entry) => void
}

/** One field. While it has the focus, E corrects it and Delete erases it. */
function Line({ field, entry, mayChange, write, erase }: LineProps) {
  const { words, formats } = useWords()
  const [draft, setDraft] = useState<string>()
  const label = words.memory.field[field]
  const text = [entry?.value ?? []].flat().join(', ')
  if (draft !== undefined) {
    const close = (): void => setDraft(undefined)
    const trimmed = draft.trim()
    const save = (): void => {
      const value = field === 'recentProjects' ? trimmed.split(',').map((one) => one.trim()) : trimmed
      void write(value).then(close)
    }
    return (
      <li className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0">
        <Field
          label={label}
          autoFocus
          maxLength={700}
          value={draft}
          onChange={setDraft}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && trimmed !== '') save()
            if (key === 'Escape') close()
          }}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button label={words.app.save} className="btn-primary btn-sm" disabled={trimmed === ''} onClick={save} />
          <Button label={words.app.cancel} className="btn-ghost btn-sm" onClick={close} />
          <span className="text-12 text-text-3">{words.memory.fromNow}</span>
        </div>
      </li>
    )
  }
  const action = entry === undefined ? words.app.add : words.memory.correct
  return (
    <li
      className="line"
      onKeyDown={({ key }) => {
        if (!mayChange) return
        if (key === 'e') setDraft(text)
        if (key === 'Delete' && entry !== undefined) erase(entry)
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
              <TextLink to="/runs/$runId" params={{ runId: entry.source.runId }} text={words.memory.byRun} />
            )}{' '}
            · {formats.date(entry.source.at)}
          </p>
        )}
      </div>
      {mayChange ? (
        <Button
          label={action}
          icon={entry === undefined ? Plus : Pencil}
          className="btn-ghost btn-sm"
          aria-label={`${action}: ${label}`}
          onClick={() => setDraft(text)}
        />
      ) : null}
      {entry === undefined || !mayChange ? null : (
        <IconButton icon={Trash2} label={`${words.memory.erase}: ${label}`} onClick={() => erase(entry)} />
      )}
    </li>
  )
}
