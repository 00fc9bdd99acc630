import type { RoleContext } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined, truncate, truncateTogether } from '../../shared/json.ts'
import { MAX_FINDINGS_CHARS, tagged } from '../../domain/prompt-text.ts'
import { agentResult, type AgentResult } from '../../domain/agent-results.ts'
import type { Source } from '../../domain/result.ts'
import type { JobState } from '../../domain/state.ts'
import { numberCitations, type CitedText } from '../../grounding/citations.ts'
import type { Instruction } from './types.ts'
import { runSections } from '../planning/run-sections.ts'
import { citableResults, type CitableResults } from '../planning/citable-results.ts'

const MAX_MESSAGE = 2_000

/**
 * The common prompt input of a review's actors, and a line in the trace. In the trace, a critic's feedback or the work
 * under review is appended; prompts have separate sections for these.
 */
export function receiveInstruction(ctx: RoleContext<Instruction>, work = '') {
  const { input, request, feedback } = ctx
  const { stepId, ...message } = input
  const instruction = feedback?.text ?? (work === '' ? input.content : `${input.content}: ${work}`)
  const content = truncate(instruction, MAX_MESSAGE)
  ctx.note('MESSAGE', content, { ...message, content, step_id: stepId })
  return {
    about: runSections(ctx),
    instruction: input.content,
    ...omitUndefined({ systemPrompt: request.systemPrompt }),
  }
}

/** Sends an actor's closing message. */
export function reply(ctx: Pick<RoleContext, 'send'>, content: string): void {
  ctx.send('orchestrator', 'response', content)
}

/** The error of a step whose model failed, after retries and the second model; it counts as a retry. */
export function noReplyError(what: string, reason: string): TuttiError {
  return new TuttiError('ModelUnavailable', `The model did not return ${what}: ${reason}.`)
}

export interface Research {
  readonly results: readonly AgentResult[]
  /** One set of source ids for all of it. */
  readonly citable: CitableResults
  /** A section for each result, as models read it. */
  readonly sections: readonly string[]
  /** The same of the latest result, without a section around it. */
  readonly latest: string
}

/** Jobs' results as models read them. */
export function researchOf(ctx: RoleContext, jobs: readonly JobState[]): Research {
  const results = jobs.map((job) => agentResult(job.actor, job.key, job, false))
  const citable = citableResults(results)
  const texts = truncateTogether(
    results.map((result) => citable.textOf(result.task, result)),
    MAX_FINDINGS_CHARS,
  )
  const steps = jobs.map(({ task }) => task?.text ?? ctx.request.question)
  return {
    results,
    citable,
    sections: texts.map((text, i) => tagged('research', text, { step: steps[i]! })),
    latest: `Step: ${steps.at(-1)}\n${texts.at(-1)}`,
  }
}

/** Occurs in no text. */
const BETWEEN = '\u0000'

/** Two texts with one numbering of their citations. */
export function mergeCitations(
  first: string,
  second: string,
  sources: readonly Source[],
): Pick<CitedText, 'cited' | 'unknown'> & { readonly texts: readonly [string, string] } {
  const { text, ...marks } = numberCitations(`${first}${BETWEEN}${second}`, sources)
  const at = text.indexOf(BETWEEN)
  return { texts: [text.slice(0, at), text.slice(at + 1)], ...marks }
}
