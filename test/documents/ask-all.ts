import { join } from 'node:path'
import { openApp } from '../../src/setup/setup.ts'
import type { QuestionSet } from './evidence-questions.ts'

/** What lacks its set-up would say so to any question with a word of its own, such as API or e-mail. */
const NOT_SET_UP = ['sql', 'api', 'mail']

export interface Outcome {
  readonly question: string
  /** Whether passages are quoted as the answer. */
  readonly isAnswered: boolean
  readonly answer: string
}

export interface Asked {
  readonly known: readonly (Outcome & { readonly isRight: boolean })[]
  readonly unknown: readonly Outcome[]
}

/**
 * Asks without a model, in an installation of its own.
 * @param name of the installation's data in `folder`
 * @param documents folder of the library
 */
export async function askAll(
  folder: string,
  name: string,
  documents: string,
  { answerable, unanswerable }: QuestionSet,
): Promise<Asked> {
  const options = { cwd: folder, dataDir: join(folder, `data-${name}`), env: {} }
  const first = await openApp(options)
  await first.knowledge.ingest.addPaths(first.runs.owner, [documents], { cwd: folder })
  await first.close()
  const app = await openApp(options)
  const ask = async (question: string): Promise<Outcome> => {
    const runId = await app.start({ question, disableAgents: NOT_SET_UP })
    await app.engine.outcome(runId)
    const { answer, citations } = await app.response(runId)
    return { question, answer, isAnswered: citations.length > 0 }
  }
  const known: (Outcome & { readonly isRight: boolean })[] = []
  for (const [question, holds] of answerable) {
    const outcome = await ask(question)
    known.push({ ...outcome, isRight: outcome.isAnswered && outcome.answer.includes(holds) })
  }
  const unknown: Outcome[] = []
  for (const question of unanswerable) unknown.push(await ask(question))
  await app.close()
  return { known, unknown }
}
