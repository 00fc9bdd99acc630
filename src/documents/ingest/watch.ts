import { relative, resolve, sep } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import { isDynamicPattern } from 'tinyglobby'
import type { Clock } from '../../shared/clock.ts'
import { findFiles, staticPart, type FoundFile } from './find-files.ts'
import type { WatchOptions } from './ingestor.ts'

/** Milliseconds without a change before a file is read, since files are often written in several steps. */
const QUIET_MS = 300

/**
 * Called with the changed paths and the files that still exist among them, one call at a time.
 * @throws TuttiError to end the watching
 */
export type OnChange = (changed: ReadonlySet<string>, files: ReadonlyMap<string, FoundFile>) => Promise<void>

/**
 * Watches files, folders and patterns until the signal is aborted. Existing files count as changed, so that no change
 * is missed between reading the folder and the start of watching.
 * @throws TuttiError `SourceNotFound` for a path that does not exist; errors of `onChange`
 */
export async function watchFiles(
  paths: readonly string[],
  { cwd, clock, signal, onReady }: WatchOptions & { readonly clock: Clock },
  onChange: OnChange,
): Promise<void> {
  await findFiles(paths, cwd)
  const folders = paths.map((path) => resolve(cwd, isDynamicPattern(path) ? staticPart(path) : path))
  const watcher = watch(folders, {
    followSymlinks: false,
    ignored: (path) => folders.every((folder) => isLeftOut(relative(folder, path))),
  })
  const changes = new Changes(paths, cwd, clock, onChange)
  watcher.on('add', changes.note).on('change', changes.note).on('unlink', changes.note)
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
      changes.onError = reject
      watcher.on('error', reject)
      watcher.once('ready', () => onReady?.())
    })
  } finally {
    await close(watcher, changes)
  }
}

async function close(watcher: FSWatcher, changes: Changes): Promise<void> {
  await watcher.close()
  await changes.stop()
}

/** Hidden files and packages are excluded, as when a folder is added. */
function isLeftOut(path: string): boolean {
  return path.split(sep).some((part) => part === 'node_modules' || (part.startsWith('.') && part.length > 1))
}

/** Collects changes until there are none for a while. */
class Changes {
  onError: (error: unknown) => void = () => undefined
  readonly #find: () => Promise<readonly FoundFile[]>
  readonly #clock: Clock
  readonly #onChange: OnChange
  #paths = new Set<string>()
  #cancel: () => void = () => undefined
  #working: Promise<void> = Promise.resolve()

  constructor(paths: readonly string[], cwd: string, clock: Clock, onChange: OnChange) {
    // A given file or folder that no longer exists has no files.
    this.#find = async () => (await Promise.all(paths.map((path) => findFiles([path], cwd).catch(() => [])))).flat()
    this.#clock = clock
    this.#onChange = onChange
  }

  note = (path: string): void => {
    this.#paths.add(path)
    this.#cancel()
    this.#cancel = this.#clock.timer(QUIET_MS, () => {
      this.#working = this.#working.then(() => this.#work()).catch((error: unknown) => this.onError(error))
    })
  }

  /** Waits for started work; drops work that has not started. */
  async stop(): Promise<void> {
    this.#cancel()
    await this.#working
  }

  async #work(): Promise<void> {
    const changed = this.#paths
    this.#paths = new Set()
    const files = new Map((await this.#find()).map((file) => [file.path, file]))
    await this.#onChange(changed, files)
  }
}
