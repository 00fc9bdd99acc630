import { join, relative, resolve } from 'node:path'
import { TuttiError } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'

/** Questions that can be answered without a model, too. */
const QUESTIONS = [
  'How many customers are there?',
  'How many orders are in each status?',
  'Which five products brought in the most money in 2025?',
]

/** `tutti demo`: writes the demo database into a folder and says what to ask it. */
export async function writeDemo(cli: Cli, folder: string): Promise<ExitCode> {
  const { DEMO_FILE_NAME } = await import('../../demo/database.ts')
  const path = join(resolve(cli.cwd, folder), DEMO_FILE_NAME)
  await makeDemo(path)
  const shown = relative(cli.cwd, path)
  cli.err.line(`Wrote ${path}. Try:`)
  for (const command of demoCommands(shown.startsWith('..') ? path : shown)) cli.out.line(command)
  return EXIT.ok
}

/** @throws TuttiError `StorageError` when the folder cannot be written */
export async function makeDemo(path: string): Promise<void> {
  const { createDemoDatabase } = await import('../../demo/database.ts')
  try {
    await createDemoDatabase(path)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new TuttiError('StorageError', `The demo database ${path} cannot be written: ${reason}.`, { cause })
  }
}

export function demoCommands(path: string): string[] {
  const url = `sqlite:${path}`
  const word = /^[\w./:@%+-]+$/.test(url) ? url : `'${url.replaceAll("'", String.raw`'\''`)}'`
  return QUESTIONS.map((question) => `npx tutti ask "${question}" --db ${word}`)
}
