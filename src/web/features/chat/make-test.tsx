import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import type { RunView } from '../../run/run-log.ts'
import { Choice, Field, LongField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'

const MARKS = / ?\[\d{1,3}\]/g

/**
 * Creates an evaluation case from an answer. Each evaluation asks the question again and compares the answer with the
 * expected text, initially this answer.
 */
export default function MakeTest({ view: { state }, close }: { view: RunView; close: () => void }) {
  const { words } = useWords()
  const [kind, setKind] = useState<keyof typeof words.evaluations.kind>(
    state.answer?.isAnswered === false ? 'refusal' : 'judge',
  )
  const [text, setText] = useState(() => (state.answer?.text ?? '').replaceAll(MARKS, '').trim())
  const [set, setSet] = useState('')
  const [invalid, setInvalid] = useState<string>()
  const make = useChange(
    (expect: object) =>
      api.post(`/runs/${encodeURIComponent(state.runId)}/case`, {
        ...(set.trim() === '' ? {} : { set: set.trim() }),
        ...expect,
      }),
    '/evaluations/cases',
  )
  const parts = text.split(';').flatMap((part) => part.trim() || [])
  const send = (): void => {
    const other = kind === 'number' ? parts.find((part) => !Number.isFinite(Number(part))) : undefined
    setInvalid(other)
    if (other !== undefined) return
    const expect = { number: parts.map(Number), contains: parts, judge: text.trim(), refusal: true } as const
    make.mutate({ [kind]: expect[kind] })
  }
  const label = {
    number: words.evaluations.numbers,
    contains: words.evaluations.texts,
    judge: words.evaluations.saying,
  }
  return (
    <FormDialog
      title={words.evaluations.makeTest}
      lead={words.evaluations.makeLead}
      action={words.evaluations.keep}
      disabled={make.isPending}
      error={make.error}
      isDone={make.isSuccess}
      submit={send}
      close={close}
    >
      {make.isSuccess ? (
        <p className="banner tone-ok" role="status">
          <span>
            {words.evaluations.made}{' '}
            <Link to="/evaluations/$part" params={{ part: 'cases' }} className="underline">
              {words.evaluations.toCases}
            </Link>
          </span>
        </p>
      ) : (
        <>
          <Choice label={words.evaluations.holds} value={kind} options={words.evaluations.kind} onChange={setKind} />
          {kind === 'refusal' ? null : (
            <LongField label={label[kind]} required maxLength={10_000} value={text} onChange={setText} />
          )}
          {invalid === undefined ? null : (
            <p className="text-13 text-bad" role="alert">
              {words.evaluations.noNumber({ text: invalid })}
            </p>
          )}
          <Field label={words.evaluations.set} placeholder="runs" maxLength={100} value={set} onChange={setSet} />
        </>
      )}
    </FormDialog>
  )
}
