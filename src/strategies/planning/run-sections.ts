import { tagged } from '../../domain/prompt-text.ts'
import { z } from 'zod'
import type { RoleContext } from '../../domain/actor.ts'
import { callsMadeSection, questionSection } from '../../tool-loop/messages.ts'
import { contextLines } from '../../domain/context.ts'

/** The field of a prompt's input that these sections come in. */
export const aboutRun = z.array(z.string())

/** Sections of the run for prompts that plan, judge or answer: context, impossible parts, changes, the user's words. */
export function runSections({ actions, request, state, userRequest }: RoleContext): string[] {
  const { notPossible = [], understood } = state.plan ?? {}
  const context = contextLines(request.context)
  const { question: whole } = understood ?? {}
  return [
    ...(context.length === 0 ? [] : [tagged('context', context.join('\n'))]),
    ...(notPossible.length === 0
      ? []
      : [tagged('not_possible', notPossible.map(({ part, reason }) => `- ${part}: ${reason}`).join('\n'))]),
    callsMadeSection(actions),
    ...(whole === undefined ? [] : [tagged('meant', whole)]),
    questionSection([...userRequest, ...state.said.map((text) => ({ text }))]),
  ]
}
