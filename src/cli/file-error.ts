import { TuttiError } from '../domain/errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you are not allowed to',
  EPERM: 'you are not allowed to',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
}

/** Says why a file that the command line names could not be used. */
export function fileError(name: string, use: 'read' | 'written', cause: unknown): TuttiError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  const missing = use === 'read' ? 'there is no such file' : 'there is no such folder'
  const reason = code === 'ENOENT' ? missing : (REASONS[code] ?? message)
  return new TuttiError('InvalidRequest', `${name} cannot be ${use}: ${reason}.`, { cause })
}
