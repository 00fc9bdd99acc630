import { Plus, Trash2 } from 'lucide-react'
import type { Team } from '../../run/team-edit.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Section } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'

/** Returns the error at a place of a team, if any. */
export type FindProblem = (...place: readonly (string | number)[]) => string | undefined

const MAX_CHECKS = 5

type Check = Team['checks'][number]

interface ChecksProps {
  readonly checks: Team['checks']
  readonly findProblem: FindProblem
  readonly edit: (checks: Check[]) => void
}

/** The questions that a version must pass in its trial, and what each answer must contain. */
export function Checks({ checks, findProblem, edit }: ChecksProps) {
  const { words } = useWords()
  const change = (at: number, part: Partial<Check>): void => edit(checks.with(at, { ...checks[at]!, ...part }))
  return (
    <Section
      title={words.teams.checks}
      lead={words.teams.checksLead}
      actions={
        <Button
          label={words.app.add}
          icon={Plus}
          className="btn-sm"
          disabled={checks.length >= MAX_CHECKS}
          onClick={() => edit([...checks, { question: '', contains: [] }])}
        />
      }
    >
      <ul>
        {checks.map(({ question, contains }, at) => (
          <li key={at} className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0">
            <div className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <Field
                  label={words.designer.check({ n: at + 1 })}
                  problem={findProblem('checks', at, 'question')}
                  value={question}
                  title={question}
                  onChange={(text) => change(at, { question: text })}
                />
              </div>
              <IconButton
                icon={Trash2}
                label={words.designer.removeCheck({ n: at + 1 })}
                className="mt-5.5 h-9"
                disabled={checks.length === 1}
                onClick={() => edit(checks.toSpliced(at, 1))}
              />
            </div>
            <Field
              label={words.designer.holds}
              problem={findProblem('checks', at, 'contains')}
              defaultValue={contains.join('; ')}
              title={contains.join('; ')}
              onChange={(text) => change(at, { contains: text.split(';').flatMap((part) => part.trim() || []) })}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
