import { resolve } from 'node:path'
import type { Cli } from './cli.ts'

/** As a POSIX shell takes it for one word. */
export function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The global options that a printed command needs to mean the same in any folder; undefined for none. */
export function typedOptions({ cwd, globals }: Pick<Cli, 'cwd' | 'globals'>): string | undefined {
  const { data, config: configFile } = globals
  const parts = [
    ...(configFile === undefined ? [] : [`--config ${shellWord(resolve(cwd, configFile))}`]),
    ...(data === undefined ? [] : [`--data ${shellWord(resolve(data))}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}
