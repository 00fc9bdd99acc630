import type { RoleContext } from '../../../core/actor.ts'
import { TuttiError } from '../../../core/errors.ts'
import { given } from '../../../core/given.ts'
import { cut, cutTogether } from '../../../core/outside.ts'
import { MOST_FOUND } from '../../../core/prompt-text.ts'
import { agentResult, type AgentResult } from '../../../core/response.ts'
import type { Source } from '../../../core/result.ts'
import type { JobState } from '../../../core/state.ts'
import { numberCitations, type CitedText } from '../../../grounding/citations.ts'
import type { Instruction } from '../../../strategies/review/types.ts'
import { resultText, tagged } from '../../../tool-loop/messages.ts'
import { contextLines } from '../../context-lines.ts'
import { citableResults, type CitableResults } from '../citable-results.ts'

const MAX_MESSAGE = 2_000

/**
 * What each actor of a review is told, and its line in the trace (SPEC C5), where a critic's feedback stands for the
 * instruction, and what is to be reviewed behind it. Of these the prompts hold sections of their own.
 */
export function told(ctx: RoleContext<Instruction>, work = '') {
  const { input, request, feedback } = ctx
  const { stepId, ...message } = input
  const whole = feedback?.text ?? (work === '' ? input.content : `${input.content}: ${work}`)
  const content = cut(whole, MAX_MESSAGE)
  ctx.note('MESSAGE', content, { ...message, content, step_id: stepId })
  return {
    question: ctx.state.plan?.understood?.question ?? request.question,
    context: contextLines(request.context),
    instruction: input.content,
    ...given({ systemPrompt: request.systemPrompt }),
  }
}

/** What an actor says when it is done. */
export function reply(ctx: RoleContext, content: string): void {
  ctx.send('orchestrator', 'response', content)
}

/** What a model that failed, after retries and the second model, ends a step with: it counts as a retry (SPEC C7). */
export function notReturned(what: string, reason: string | undefined): TuttiError {
  return new TuttiError('ModelUnavailable', `The model did not return ${what}: ${reason ?? 'no reason is known'}.`)
}

export interface Research {
  readonly results: readonly AgentResult[]
  /** One set of source ids for all of it. */
  readonly citable: CitableResults
  /** A section for each result, as models read it. */
  readonly sections: readonly string[]
}

/** Jobs' results as models read them. @param known sources whose ids are taken */
export function researchOf(ctx: RoleContext, jobs: readonly JobState[], known: readonly Source[] = []): Research {
  const results = jobs.map((job) => agentResult(job.actor, job.key, job, false))
  const citable = citableResults(results, known)
  const texts = cutTogether(
    results.map((result) => textOf(result, citable)),
    MOST_FOUND,
  )
  const steps = jobs.map(({ task }) => task?.text ?? ctx.request.question)
  return { results, citable, sections: texts.map((text, i) => tagged('research', text, { step: steps[i]! })) }
}

function textOf(result: AgentResult, { texts, idsOf }: CitableResults): string {
  const { task, answer, tabular, data, error, unanswered = [] } = result
  const text = resultText(given({ answer: texts.get(task) ?? answer, tabular, data, error }))
  return [text, idsOf(result), ...unanswered.map((part) => `Not answered: ${part}`)].filter(Boolean).join('\n')
}

/** Occurs in no text. */
const BETWEEN = '\u0000'

/** Two texts with one numbering of their citations. */
export function numberTogether(
  first: string,
  second: string,
  sources: readonly Source[],
): Pick<CitedText, 'cited' | 'unknown'> & { readonly texts: readonly [string, string] } {
  const { text, ...marks } = numberCitations(`${first}${BETWEEN}${second}`, sources)
  const at = text.indexOf(BETWEEN)
  return { texts: [text.slice(0, at), text.slice(at + 1)], ...marks }
}
