import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that names are of. */
  readonly cwd: string
}

/** Where Tutti keeps its runs: `--data`, else `TUTTI_DATA`, else the platform's own place for application data. */
export function dataDirOf(
  named: string | undefined,
  { env, cwd }: Surroundings,
  platform: NodeJS.Platform = process.platform,
): string {
  const chosen = named ?? (env['TUTTI_DATA']?.trim() || undefined)
  if (chosen !== undefined) return resolve(cwd, chosen)
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Tutti')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Tutti')
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'tutti')
}
