import { existsSync, realpathSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Environment } from '../app/config/environment.ts'
import type { Cli } from './cli.ts'

export interface ProcessStart {
  /** The script that Node.js was given. */
  readonly script: string
  readonly env: Environment
  readonly cwd: string
}

/**
 * The words before a command that start Tutti once more, so that printed commands can be pasted: `tutti` where the shell
 * finds it, `npx tutti` where npm does, else Node.js with the path of the script.
 */
export function ownCommand({ script, env, cwd }: ProcessStart): string {
  const real = resolveLinks(script)
  // npm adds its own folders to the PATH of what it starts, where the shell would not look.
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
  if (folders.some((folder) => folder !== '' && isSelf(join(folder, 'tutti'), real))) return 'tutti'
  if (env['npm_command'] !== undefined) return 'npx tutti'
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (isSelf(join(folder, 'node_modules', '.bin', 'tutti'), real)) return 'npx tutti'
    if (isSelf(join(folder, 'dist', 'cli', 'main.js'), real)) return 'npx tutti'
    if (folder === dirname(folder)) return `node ${shellWord(script)}`
  }
}

/** On Windows npm writes a small program instead of a link; that it is there is all that can be told. */
function isSelf(path: string, real: string | undefined): boolean {
  if (process.platform === 'win32' && existsSync(`${path}.cmd`)) return true
  return real !== undefined && resolveLinks(path) === real
}

function resolveLinks(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined // there is no such file
  }
}

/** As a POSIX shell takes it for one word. */
export function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * The global options that a printed command needs to mean the same in any folder; undefined for none.
 * @param configFile the file that a run was started with, instead of the given one
 */
export function typedOptions(
  { cwd, globals }: Pick<Cli, 'cwd' | 'globals'>,
  configFile = globals.config,
): string | undefined {
  const { data, isDataTyped } = globals
  const parts = [
    ...(configFile === undefined ? [] : [`--config ${shellWord(resolve(cwd, configFile))}`]),
    ...(data === undefined || isDataTyped !== true ? [] : [`--data ${shellWord(resolve(data))}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** A sentence of a part that does not know how Tutti was started: the commands in it can be pasted. */
export function withOwnCommand(text: string, self: string): string {
  return self === 'tutti' ? text : text.replaceAll(/(?<=["`]|: )tutti (?=[a-z])/g, `${self} `)
}

/** The version of this package; `package.json` is two folders up, in `src/` as in `dist/`. */
export function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
