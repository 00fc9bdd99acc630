import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Cli } from './cli.ts'
import { TuttiError } from '../domain/errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already',
  EACCES: 'you are not allowed to',
  EPERM: 'you are not allowed to',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
}

/** Reads a file that the command line names. @throws TuttiError `InvalidRequest` */
export async function readInputFile({ cwd }: Pick<Cli, 'cwd'>, name: string): Promise<string> {
  return readFile(resolve(cwd, name), 'utf8').catch((cause: unknown) => {
    throw fileError(name, 'read', cause)
  })
}

/** @throws TuttiError `InvalidRequest` */
export async function writeOutputFile({ cwd }: Pick<Cli, 'cwd'>, name: string, text: string): Promise<void> {
  await writeFile(resolve(cwd, name), text).catch((cause: unknown) => {
    throw fileError(name, 'written', cause)
  })
}

/** @throws TuttiError `InvalidRequest` for a file that cannot be read, or is not JSON */
export async function readJsonInput(cli: Pick<Cli, 'cwd'>, name: string): Promise<unknown> {
  const text = await readInputFile(cli, name)
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new TuttiError('InvalidRequest', `${name} is not JSON: ${(cause as Error).message}.`, { cause })
  }
}

/** Says why a file that the command line names could not be used. */
function fileError(name: string, use: 'read' | 'written', cause: unknown): TuttiError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  const missing = use === 'read' ? 'there is no such file' : 'there is no such folder'
  const reason = code === 'ENOENT' ? missing : (REASONS[code] ?? message)
  return new TuttiError('InvalidRequest', `${name} cannot be ${use}: ${reason}.`, { cause })
}
