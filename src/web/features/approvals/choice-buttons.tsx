import type { UserQuestion } from '../../../client/run.ts'
import { Button } from '../../ui/button.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'

interface ChoiceButtonsProps {
  /** Of a question to the user. */
  readonly payload: unknown
  readonly disabled: boolean
  readonly choose: (choice: string) => void
}

/** The suggested answers of a question. */
export function ChoiceButtons({ payload, disabled, choose }: ChoiceButtonsProps) {
  const { choices = [] } = payload as UserQuestion
  return choices.map((choice) => (
    <Button
      key={choice}
      label={showInvisible(choice)}
      className="h-auto! max-w-full py-1 text-left whitespace-normal! wrap-anywhere pointer-fine:min-h-8"
      disabled={disabled}
      onClick={() => choose(choice)}
    />
  ))
}
