import { Plus, Trash2 } from 'lucide-react'
import type { Team } from '../../run/team-edit.ts'
import { Field, Section } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'
import { IconButton } from '../../ui/button.tsx'

/** The error at a place of a team, if any. */
export type FindProblem = (...where: readonly (string | number)[]) => string | undefined

const MAX_CHECKS = 5

/** The questions that a version must pass in its trial, and what each answer must hold. */
export function Checks({
  checks,
  said,
  edit,
}: {
  checks: Team['checks']
  said: FindProblem
  edit: (checks: Team['checks']) => void
}) {
  const { words } = useWords()
  const change = (at: number, to: Partial<Team['checks'][number]>): void =>
    edit(checks.map((check, place) => (place === at ? { ...check, ...to } : check)))
  return (
    <Section
      title={words.teams.checks}
      lead={words.teams.checksLead}
      actions={
        <button
          type="button"
          className="btn btn-sm"
          disabled={checks.length >= MAX_CHECKS}
          onClick={() => edit([...checks, { question: '', contains: [] }])}
        >
          <Plus size={14} aria-hidden />
          {words.app.add}
        </button>
      }
    >
      <ul>
        {checks.map(({ question, contains }, at) => (
          <li key={at} className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0">
            <div className="flex items-end gap-2">
              <div className="min-w-0 flex-1">
                <Field
                  label={words.designer.check({ n: at + 1 })}
                  value={question}
                  title={question}
                  say={(text) => change(at, { question: text })}
                />
              </div>
              <IconButton
                icon={Trash2}
                size={14}
                label={words.designer.removeCheck({ n: at + 1 })}
                className="h-9"
                disabled={checks.length === 1}
                onClick={() => edit(checks.toSpliced(at, 1))}
              />
            </div>
            <Fault text={said('checks', at, 'question')} />
            <Field
              label={words.designer.holds}
              defaultValue={contains.join('; ')}
              title={contains.join('; ')}
              say={(text) => change(at, { contains: text.split(';').flatMap((part) => part.trim() || []) })}
            />
            <Fault text={said('checks', at, 'contains')} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** One sentence under the field that it is about. */
export function Fault({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p className="text-12 text-bad" role="alert">
      {text}
    </p>
  )
}
