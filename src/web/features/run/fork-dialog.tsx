import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import type { Draft } from '../../run/plan-edit.ts'
import type { RunView } from '../../run/run-log.ts'
import { stepsOfPlan } from '../../run/steps.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useAbout } from '../chat/use-about.ts'
import { PlanEditor } from './plan-editor.tsx'
import { PlanInWords } from './plan-in-words.tsx'
import { Button } from '../../ui/button.tsx'

export interface ForkProps {
  readonly view: RunView
  /** Key of the job from which the run is repeated. Earlier results are kept. */
  readonly from: string
  /** Turn from which the job is repeated. Earlier turns are kept. */
  readonly turn?: number
}

/** Changes for a new run from one step on: question, instructions, model, plan. */
export default function ForkDialog({ view, from, turn, close }: ForkProps & { close: () => void }) {
  const { words } = useWords()
  const { state } = view
  const { runId, request } = state
  const models = useAbout()?.models ?? []
  const [question, setQuestion] = useState(request.question)
  const [systemPrompt, setPrompt] = useState(request.systemPrompt ?? '')
  const [model, setModel] = useState('')
  const [tasks, setTasks] = useState<Draft | undefined>()
  const [isPlanOpen, openPlan] = useState(false)
  const fork = useChange(
    () =>
      api.post<{ runId: string }>(`/runs/${encodeURIComponent(runId)}/fork`, {
        from,
        ...(turn === undefined ? {} : { turn }),
        ...(question.trim() === request.question ? {} : { question: question.trim() }),
        ...(systemPrompt.trim() === (request.systemPrompt ?? '') ? {} : { systemPrompt: systemPrompt.trim() }),
        ...(model === '' ? {} : { models: { default: model } }),
        ...(tasks === undefined ? {} : { plan: { tasks } }),
      }),
    '/runs',
  )
  const isOtherQuestion = question.trim() !== request.question
  const leave = (): void => openPlan(false)
  return (
    <Dialog label={words.fork.fromHere} close={close} className="dialog">
      <form
        className="flex min-h-0 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          fork.mutate()
        }}
      >
        <div className="flex flex-col gap-4 overflow-y-auto p-5">
          <div>
            <h2 className="text-16 font-semibold">{words.fork.fromHere}</h2>
            <p className="text-13 text-text-2">
              {!isOtherQuestion ? words.fork.lead : tasks === undefined ? words.fork.plannedAnew : words.fork.planAnew}
            </p>
          </div>
          {fork.data === undefined ? (
            <>
              <label className="flex flex-col gap-1 text-12 font-medium">
                {words.runs.question}
                <textarea
                  className="input field-sizing-content max-h-40"
                  required
                  value={question}
                  onChange={(event) => setQuestion(event.target.value)}
                />
              </label>
              <Field label={words.fork.prompt} hint={words.fork.promptHint} value={systemPrompt} say={setPrompt} />
              {models.length === 0 ? null : (
                <Choice
                  label={words.composer.model}
                  value={model}
                  options={{ '': words.fork.asBefore, ...Object.fromEntries(models.map((one) => [one, one])) }}
                  say={setModel}
                />
              )}
              {state.plan === undefined ? null : (
                <div className="flex flex-wrap items-center gap-2 text-13">
                  <Button icon={Pencil} className="btn-sm" onClick={() => openPlan(true)}>
                    {words.planEdit.change}
                  </Button>
                  {tasks === undefined ? null : (
                    <>
                      <PlanInWords steps={stepsOfPlan(tasks, view)} />
                      <Button className="btn-ghost btn-sm" onClick={() => setTasks(undefined)}>
                        {words.planEdit.discard}
                      </Button>
                    </>
                  )}
                </div>
              )}
            </>
          ) : (
            <p className="banner tone-ok" role="status">
              <span className="flex flex-wrap gap-x-4">
                {words.fork.begun}
                <Link to="/runs/$runId" params={{ runId: fork.data.runId }} className="underline" onClick={close}>
                  {words.fork.open}
                </Link>
                <Link
                  to="/runs/compare"
                  search={{ a: runId, b: fork.data.runId }}
                  className="underline"
                  onClick={close}
                >
                  {words.fork.compare}
                </Link>
              </span>
            </p>
          )}
          {fork.error === null ? null : <Trouble error={fork.error} isInText />}
        </div>
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button label={fork.data === undefined ? words.app.cancel : words.app.close} onClick={close} />
          {fork.data === undefined ? (
            <Button className="btn-primary" type="submit" disabled={fork.isPending || question.trim() === ''}>
              {words.planEdit.start}
            </Button>
          ) : null}
        </footer>
      </form>
      {isPlanOpen ? (
        <Dialog label={words.planEdit.change} close={leave} className="dialog">
          <PlanEditor
            view={view}
            question={question}
            begun={tasks}
            label={words.fork.takePlan}
            mayStand
            send={(changed) => {
              setTasks(changed)
              leave()
            }}
            close={leave}
          />
        </Dialog>
      ) : null}
    </Dialog>
  )
}
