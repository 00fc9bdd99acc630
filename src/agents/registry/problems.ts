import { relative } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'

/** Something wrong in a file that declares an agent. */
export interface Problem {
  readonly file: string
  /** From 1; absent for a problem of the whole file. */
  readonly line?: number
  readonly message: string
}

/** Maximum number of problems on one line; the first ones often cause the others. */
const MAX_PROBLEMS = 12

/** All problems as one error, each with file and line as editors and terminals understand them. */
export function problemsError(problems: readonly Problem[], cwd: string): TuttiError {
  const lines = problems.map(
    ({ file, line, message }) => `${displayPath(file, cwd)}${line === undefined ? '' : `:${line}`}: ${message}`,
  )
  const more = lines.length > MAX_PROBLEMS ? [`And ${lines.length - MAX_PROBLEMS} more.`] : []
  return new TuttiError('ConfigurationError', [...lines.slice(0, MAX_PROBLEMS), ...more].join(' '))
}

/** The path relative to this folder, as a user would type it. */
export function displayPath(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return path === '' || path.startsWith('..') ? file : path
}
