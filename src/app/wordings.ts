import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { unreadable } from '../agents/registry/import-default.ts'
import { TuttiError } from '../domain/errors.ts'
import type { ModelPort } from '../domain/model.ts'
import { completeWording, wordingProblem } from '../domain/prompt.ts'

/** An operator's wording of a prompt. */
interface Wording {
  readonly text: string
  /** The name in traces: the file's name and a digest of its content. */
  readonly label: string
}

export type Wordings = ReadonlyMap<string, Wording>

/**
 * Reads the folder of wordings, if there is one, each in a file `<prompt name>.md`.
 * @throws TuttiError `ConfigurationError` for an unknown prompt name, for unknown or missing placeholders, and for
 * unreadable files
 */
export async function readWordings(folder: string | undefined): Promise<Wordings> {
  if (folder === undefined) return new Map()
  const { PROMPTS } = await import('./prompts.ts')
  const own = new Map(PROMPTS.flatMap(({ name, wording }) => (wording === undefined ? [] : [[name, wording]])))
  const files = await orUnreadable(folder, readdir(folder))
  const wordings = new Map<string, Wording>()
  for (const file of files.filter((name) => !name.startsWith('.')).sort()) {
    const path = join(folder, file)
    const { name, ext } = parse(file)
    const original = ext === '.md' ? own.get(name) : undefined
    if (original === undefined) {
      const known = [...own.keys()].map((known) => `${known}.md`).join(', ')
      throw new TuttiError('ConfigurationError', `${path} words no prompt. There are: ${known}.`)
    }
    const text = await orUnreadable(path, readFile(path, 'utf8'))
    const problem = wordingProblem(text, original)
    if (problem !== undefined) throw new TuttiError('ConfigurationError', `The wording in ${path} ${problem}.`)
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
    wordings.set(name, { text: completeWording(text, original), label: `${file} sha256:${digest}` })
  }
  return wordings
}

function orUnreadable<T>(path: string, reading: Promise<T>): Promise<T> {
  return reading.catch((thrown: unknown) => Promise.reject(unreadable(path, thrown)))
}

/**
 * The models, called with the operator's wordings. The surrounding text and the form of the answer stay those of the
 * prompt.
 */
export function withWordings<M extends ModelPort>(models: M, wordings: Wordings): M {
  if (wordings.size === 0) return models
  return {
    ...models,
    ask: async (prompt, input, options) => {
      const own = wordings.get(prompt.name)
      if (own === undefined) return models.ask(prompt, input, options)
      const worded = { ...prompt, render: (given: typeof input) => prompt.render(given, own.text) }
      const answered = await models.ask(worded, input, options)
      return answered.model === undefined ? answered : { ...answered, wording: own.label }
    },
  }
}
