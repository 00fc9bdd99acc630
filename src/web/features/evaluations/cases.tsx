import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet, type Answer } from '../../app/data.ts'
import { Field, Section } from '../../ui/field.tsx'
import { InlineForm } from '../../ui/form.tsx'
import { Message, ErrorBanner } from '../../ui/states.tsx'
import { deleteLater, useHiddenPaths } from '../../ui/undo.tsx'
import { Fetched } from '../../ui/page.tsx'
import { ConfirmButton } from '../../ui/confirm-dialog.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useWords } from '../../locales/words.tsx'
import { questionOfCase, expectationText, groupBySet, type CaseSet, type EvalCase } from './case.ts'
import { IconButton } from '../../ui/button.tsx'

const PATH = '/evaluations/cases'

/** The evaluation cases by set, and a form to add a file of them. */
export function Cases({ mayChange }: { mayChange: boolean }) {
  const { words } = useWords()
  return (
    <>
      {mayChange ? <AddFile /> : null}
      <Fetched query={useGet<Items<EvalCase>>(PATH)}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="px-1 text-13 text-text-2">
              <b className="text-text">{words.evaluations.noCases}</b>{' '}
              {mayChange ? words.evaluations.noCasesHint : words.session.readOnly}
            </p>
          ) : (
            groupBySet(items).map((group) => <SetSection key={group.set} {...group} mayChange={mayChange} />)
          )
        }
      </Fetched>
    </>
  )
}

function AddFile() {
  const { words } = useWords()
  const [cases, setCases] = useState('')
  const [name, setName] = useState('')
  const set = name.trim() === '' ? undefined : name.trim()
  const add = useChange(() => api.post<Answer<'POST /evaluations/cases'>>(PATH, { cases, set }), PATH)
  const added = add.data === undefined ? undefined : words.evaluations.added({ n: add.data.kept })
  return (
    <Section title={words.evaluations.addCases} lead={words.evaluations.fileHint}>
      <InlineForm mutation={add} action={words.evaluations.add} disabled={cases === ''}>
        <label className="flex min-w-0 flex-1 basis-60 flex-col gap-1 text-12 font-medium">
          {words.evaluations.file}
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.txt"
            required
            className="input min-h-9 items-center py-1"
            // A corrected file can be chosen again.
            onClick={({ currentTarget }) => {
              currentTarget.value = ''
              setCases('')
            }}
            onChange={({ target }) => void target.files?.[0]?.text().then(setCases)}
          />
        </label>
        <div className="min-w-40 flex-1 basis-48 md:flex-none">
          <Field
            label={words.evaluations.set}
            placeholder={words.evaluations.setHint}
            maxLength={100}
            value={name}
            onChange={setName}
          />
        </div>
      </InlineForm>
      <Message tone="ok" text={added} className="px-4 pb-3" />
    </Section>
  )
}

function SetSection({ set, cases: all, mayChange }: CaseSet<EvalCase> & { mayChange: boolean }) {
  const { words } = useWords()
  const pathOf = (one: EvalCase): string => `${PATH}?${new URLSearchParams({ set, id: one.id })}`
  const hidden = useHiddenPaths()
  const cases = all.filter((one) => !hidden.has(pathOf(one)))
  const remove = useChange(() => api.delete(`${PATH}?${new URLSearchParams({ set })}`), PATH)
  return (
    <Section
      title={set}
      lead={words.evaluations.count({ n: cases.length })}
      actions={
        mayChange ? (
          <ConfirmButton
            label={words.evaluations.removeSet}
            className="btn-sm"
            disabled={remove.isPending}
            consequences={words.evaluations.sureSet({ set })}
            yes={() => remove.mutate()}
          />
        ) : null
      }
    >
      <ErrorBanner error={remove.error} />
      <ul className="max-h-120 overflow-y-auto" tabIndex={0} aria-label={set}>
        {cases.map((one) => {
          const { question, expect } = questionOfCase(one)
          const expected = words.evaluations.expects({ what: showInvisible(expectationText(expect, words)) })
          const removed = words.evaluations.removedCase({ question: showInvisible(question) })
          return (
            <li key={one.id} className="line">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block text-13 font-medium">{showInvisible(question)}</span>
                <span className="block text-12 text-text-2">{expected}</span>
              </span>
              {mayChange ? (
                <IconButton
                  icon={Trash2}
                  label={words.evaluations.removeCase({ question })}
                  onClick={() => deleteLater(pathOf(one), removed, PATH)}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
