import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange } from '../../app/data.ts'
import type { Draft } from '../../run/plan-edit.ts'
import type { RunView } from '../../run/run-log.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field, LongField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'
import { useAbout } from '../chat/use-agents.ts'
import { PlanEditor } from './plan-editor.tsx'
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
  const leave = (): void => openPlan(false)
  const forked = fork.data?.runId
  const lead =
    question.trim() === request.question
      ? words.fork.lead
      : tasks === undefined
        ? words.fork.plannedAnew
        : words.fork.planAnew
  return (
    <>
      <FormDialog
        title={words.fork.fromHere}
        lead={lead}
        action={words.planEdit.start}
        disabled={fork.isPending || question.trim() === ''}
        error={fork.error}
        isDone={forked !== undefined}
        submit={() => fork.mutate()}
        close={close}
      >
        {forked === undefined ? (
          <>
            <LongField label={words.runs.question} required value={question} onChange={setQuestion} />
            <Field label={words.fork.prompt} hint={words.fork.promptHint} value={systemPrompt} onChange={setPrompt} />
            {models.length === 0 ? null : (
              <Choice
                label={words.composer.model}
                value={model}
                options={{ '': words.fork.asBefore, ...Object.fromEntries(models.map((one) => [one, one])) }}
                onChange={setModel}
              />
            )}
            {state.plan === undefined ? null : (
              <div className="flex flex-wrap items-center gap-2 text-13">
                <Button icon={Pencil} label={words.planEdit.change} className="btn-sm" onClick={() => openPlan(true)} />
                {tasks === undefined ? null : (
                  <Button
                    label={words.planEdit.discard}
                    className="btn-ghost btn-sm"
                    onClick={() => setTasks(undefined)}
                  />
                )}
              </div>
            )}
          </>
        ) : (
          <p className="banner tone-ok" role="status">
            <span className="flex flex-wrap gap-x-4">
              {words.fork.begun}
              <Link to="/runs/$runId" params={{ runId: forked }} className="underline" onClick={close}>
                {words.fork.open}
              </Link>
              <Link to="/runs/compare" search={{ a: runId, b: forked }} className="underline" onClick={close}>
                {words.fork.compare}
              </Link>
            </span>
          </p>
        )}
      </FormDialog>
      {isPlanOpen ? (
        <Dialog label={words.planEdit.change} close={leave} className="dialog">
          <PlanEditor
            view={view}
            question={question}
            initial={tasks}
            label={words.fork.takePlan}
            allowUnchanged
            send={(changed) => {
              setTasks(changed)
              leave()
            }}
            close={leave}
          />
        </Dialog>
      ) : null}
    </>
  )
}
