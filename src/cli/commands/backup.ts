import { resolve } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'
import { dataDirOf } from '../../app/config/environment.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { safeLine } from '../render/text.ts'
import { argument, option, JSON_OPTION } from '../shared-options.ts'

export function addBackup({ root, cli, command }: Program): void {
  command(
    root,
    'backup',
    'back up the data folder; the server can keep running',
    argument('<folder>', 'a new folder'),
    JSON_OPTION,
  ).run((folder: string, options: BackupOptions) => backup(cli, folder, options))
}

export function addRestore({ root, cli, command }: Program): void {
  command(
    root,
    'restore',
    'restore a backup into the data folder',
    argument('<folder>', 'a folder written by "backup"'),
    option('--force', 'move the current content of the data folder to another folder; nothing is deleted'),
    JSON_OPTION,
  ).run((folder: string, options: BackupOptions) => restoreBackup(cli, folder, options))
}

interface BackupOptions {
  readonly json?: boolean
  readonly force?: boolean
}

/** `tutti backup`: copies the data folder into a new folder, while other processes may keep working. */
async function backup(cli: Cli, target: string, { json }: BackupOptions): Promise<void> {
  const dataDir = localFolder(cli, 'back it up with pg_dump')
  const { backUp, KEY_FILE } = await import('../../app/backup.ts')
  const path = resolve(cli.cwd, target)
  const { holds, lacks = [] } = await backUp(dataDir, path, now(cli))
  const key = holds.includes(KEY_FILE)
    ? `It contains ${KEY_FILE}, which decrypts its secrets: keep it where only you can read it.`
    : cli.env['TUTTI_SECRET_KEY']
      ? 'The key of its secrets is not in it: keep TUTTI_SECRET_KEY, without which they are lost.'
      : 'It contains no key, because no run has stored a secret.'
  if (json === true) printJson(cli, { backup: path, holds, lacks, note: key })
  else {
    cli.out.line(`Saved ${holds.join(', ')} in ${safeLine(path)}.`)
    const rest = lacks.length === 0 ? '' : `, nor what else lies in the data folder: ${safeLine(lacks.join(', '))}`
    cli.err.line(`${key} The configuration file and the folder of your agents are not in it${rest}.`)
  }
}

/** `tutti restore`: replaces the data folder by a backup. */
async function restoreBackup(cli: Cli, source: string, { json, force = false }: BackupOptions): Promise<void> {
  const dataDir = localFolder(cli, 'restore it with pg_restore')
  const { restore } = await import('../../app/backup.ts')
  const report = await restore(resolve(cli.cwd, source), dataDir, now(cli), force)
  if (json === true) printJson(cli, { dataDir, ...report })
  else {
    cli.out.line(`Restored ${report.holds.join(', ')} into ${safeLine(dataDir)}.`)
    if (report.replaced !== undefined) cli.err.line(`The previous content is in ${safeLine(report.replaced)}.`)
  }
}

function localFolder(cli: Cli, how: string): string {
  const folder = dataDirOf(cli.globals.data, cli)
  if (!cli.env['DATABASE_URL']?.trim()) return folder
  throw new TuttiError(
    'ConfigurationError',
    `Runs and documents are in PostgreSQL (DATABASE_URL): ${how}. Also keep TUTTI_SECRET_KEY, and the files secret.key, setup.json and mcp of ${folder}, if they exist.`,
  )
}

function now({ clock }: Cli): string {
  return new Date(clock.now()).toISOString()
}
