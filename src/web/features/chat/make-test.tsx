import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import type { RunView } from '../../run/run-log.ts'
import { defaultExpectation, type Expectation } from '../../run/expectation.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

/**
 * Creates an evaluation case from an answer. Each evaluation asks the question again and compares the answer with the
 * expected text, initially this answer.
 */
export default function MakeTest({ view: { state }, close }: { view: RunView; close: () => void }) {
  const { words } = useWords()
  const [{ kind, text }, setExpected] = useState(() => defaultExpectation(state))
  const setText = (to: string): void => setExpected({ kind, text: to })
  const setKind = (to: Expectation['kind']): void => setExpected({ kind: to, text })
  const [set, setSet] = useState('')
  const [strange, setStrange] = useState<string>()
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
    const wrong = kind === 'number' ? parts.find((part) => !Number.isFinite(Number(part))) : undefined
    setStrange(wrong)
    if (wrong !== undefined) return
    const expect = { number: parts.map(Number), contains: parts, judge: text.trim(), refusal: true } as const
    make.mutate({ [kind]: expect[kind] })
  }
  const label = {
    number: words.evaluations.numbers,
    contains: words.evaluations.texts,
    judge: words.evaluations.saying,
  }
  return (
    <Dialog label={words.evaluations.makeTest} close={close} className="dialog">
      <form
        className="flex min-h-0 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <div className="flex flex-col gap-4 overflow-y-auto p-5">
          <div>
            <h2 className="text-16 font-semibold">{words.evaluations.makeTest}</h2>
            <p className="text-13 text-text-2">{words.evaluations.makeLead}</p>
          </div>
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
              <Choice label={words.evaluations.holds} value={kind} options={words.evaluations.kind} say={setKind} />
              {kind === 'refusal' ? null : (
                <label className="flex flex-col gap-1 text-12 font-medium">
                  {label[kind]}
                  <textarea
                    className="input field-sizing-content max-h-60"
                    required
                    maxLength={10_000}
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                  />
                </label>
              )}
              {strange === undefined ? null : (
                <p className="text-13 text-bad" role="alert">
                  {words.evaluations.noNumber({ text: strange })}
                </p>
              )}
              <Field label={words.evaluations.set} placeholder="runs" maxLength={100} value={set} say={setSet} />
            </>
          )}
          {make.error === null ? null : <Trouble error={make.error} isInText />}
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button label={make.isSuccess ? words.app.close : words.app.cancel} onClick={close} />
          {make.isSuccess ? null : (
            <Button label={words.evaluations.keep} className="btn-primary" type="submit" disabled={make.isPending} />
          )}
        </footer>
      </form>
    </Dialog>
  )
}
