import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Field, Section } from '../../ui/field.tsx'
import { deleteLater, useHiddenPaths } from '../../ui/undo.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useWords } from '../../locales/words.tsx'
import { questionOfCase, expectationText, groupBySet, type EvalCase } from './case.ts'
import { IconButton } from '../../ui/icon-button.tsx'

const PATH = '/evaluations/cases'

/** The cases that are kept, set by set, and a place to add a file of them. */
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
            groupBySet(items).map(({ set, cases }) => (
              <OneSet key={set} set={set} cases={cases} mayChange={mayChange} />
            ))
          )
        }
      </Fetched>
    </>
  )
}

function AddFile() {
  const { words } = useWords()
  const [cases, setCases] = useState('')
  const [set, setSet] = useState('')
  const [withoutSources, setWithout] = useState(false)
  const add = useChange(async () => {
    const named = set.trim() === '' ? {} : { set: set.trim() }
    return api.post<{ kept: number }>(PATH, { cases, ...named, withoutSources })
  }, PATH)
  return (
    <Section title={words.evaluations.addCases} lead={words.evaluations.fileHint}>
      <form
        className="flex flex-wrap items-end gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <label className="flex min-w-0 flex-1 basis-60 flex-col gap-1 text-12 font-medium">
          {words.evaluations.file}
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.txt"
            required
            className="input min-h-9 items-center py-1"
            // A file that was mended can be chosen again.
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
            value={set}
            say={setSet}
          />
        </div>
        <button type="submit" className="btn btn-primary h-9" disabled={cases === '' || add.isPending}>
          {words.evaluations.add}
        </button>
        <label className="flex basis-full items-center gap-2 text-13">
          <input type="checkbox" checked={withoutSources} onChange={({ target }) => setWithout(target.checked)} />
          {words.evaluations.withoutSources}
        </label>
      </form>
      {add.data === undefined ? null : (
        <p className="px-4 pb-3 text-13 text-ok" role="status">
          {words.evaluations.added({ n: add.data.kept })}
        </p>
      )}
      {add.error === null ? null : <Trouble error={add.error} />}
    </Section>
  )
}

function OneSet({ set, cases: all, mayChange }: { set: string; cases: readonly EvalCase[]; mayChange: boolean }) {
  const { words } = useWords()
  const [isSure, setSure] = useState(false)
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
          <button type="button" className="btn btn-sm" disabled={remove.isPending} onClick={() => setSure(true)}>
            {words.evaluations.removeSet}
          </button>
        ) : null
      }
    >
      {remove.error === null ? null : <Trouble error={remove.error} />}
      <ul className="max-h-120 overflow-y-auto" tabIndex={0} aria-label={set}>
        {cases.map((one) => {
          const { question, expect } = questionOfCase(one)
          const expected = expectationText(expect, words)
          return (
            <li key={one.id} className="line">
              <span className="min-w-0 flex-1">
                <span className="block text-13 font-medium wrap-anywhere">{showInvisible(question)}</span>
                <span className="block text-12 text-text-2 wrap-anywhere">
                  {words.evaluations.expects({ what: showInvisible(expected) })}
                </span>
              </span>
              {mayChange ? (
                <IconButton
                  icon={Trash2}
                  size={14}
                  label={words.evaluations.removeCase({ question })}
                  title={words.evaluations.remove}
                  onClick={() =>
                    deleteLater(pathOf(one), words.evaluations.removedCase({ question: showInvisible(question) }), PATH)
                  }
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      {isSure ? (
        <ConfirmDialog action={words.evaluations.removeSet} yes={() => remove.mutate()} close={() => setSure(false)}>
          {words.evaluations.sureSet({ set })}
        </ConfirmDialog>
      ) : null}
    </Section>
  )
}
