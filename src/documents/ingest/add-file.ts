import { stat } from 'node:fs/promises'
import { documentError } from '../parsing/document-error.ts'
import type { OnDisk } from '../parsing/file-bytes.ts'
import type { ReadLimits } from '../parsing/limits.ts'
import { assertSize } from '../parsing/parse.ts'
import { readDocument } from '../parsing/read-document.ts'
import type { DocumentRecord, IngestProgress, KnowledgeStore } from '../types.ts'
import { BEGINNING_CHARACTERS, describeByRules, topicsByRules } from './describe.ts'
import type { FoundFile } from './find-files.ts'
import { hashFile } from './hash.ts'
import type { Added, IngestOptions, IngestorDeps, NewFile } from './ingestor.ts'

/** Finds the document that a file would replace: by its path, or by its name when it has none. */
export type FindKnown = (file: { readonly name: string; readonly path?: string }) => DocumentRecord | undefined

/** The owner's documents as they are now. */
export async function knownDocuments(store: KnowledgeStore, owner: string): Promise<FindKnown> {
  const keyOf = ({ name, path }: Parameters<FindKnown>[0]): string =>
    JSON.stringify(path === undefined ? { name } : { path })
  const byKey = new Map((await store.documents(owner)).map((record) => [keyOf(record), record]))
  return (file) => byKey.get(keyOf(file))
}

type Deps = IngestorDeps & { readonly limits: ReadLimits }

/**
 * Adds one file atomically. A file with known content is not parsed again.
 * @throws TuttiError `DocumentError` with one sentence, or the signal's reason
 */
export async function addFile(
  deps: Deps,
  owner: string,
  file: NewFile,
  known: FindKnown,
  options: IngestOptions,
): Promise<Added> {
  const { signal, onProgress } = options
  const tell = (stage: IngestProgress['stage']): void => onProgress?.({ name: file.name, stage })
  assertSize(file.name, file.bytes.length, deps.limits)
  const hash = await hashIn(file)
  const before = known(file)
  if (before?.hash === hash) {
    tell('unchanged')
    return { record: before, isNew: false }
  }
  tell('parsing')
  const { headings, title, notes, ...document } = await readDocument(file, {
    clock: deps.clock,
    limits: deps.limits,
    onChunking: () => tell('chunking'),
    ...(signal === undefined ? {} : { signal }),
  })
  const about = {
    name: file.name,
    type: document.type,
    ...(title === undefined ? {} : { title }),
    headings: [...headings],
    beginning: document.text.slice(0, BEGINNING_CHARACTERS),
  }
  signal?.throwIfAborted()
  // Hash the text that was read: otherwise a later file could be mistaken for a known one.
  if (!Buffer.isBuffer(file.bytes) && (await hashIn(file)) !== hash) {
    throw documentError(`${file.name} changed while it was read; add it again.`)
  }
  tell('storing')
  const added = await deps.store.put(
    owner,
    {
      ...document,
      name: file.name,
      ...(file.path === undefined ? {} : { path: file.path }),
      hash,
      description: describeByRules(about),
      topics: topicsByRules(about),
      bytes: file.bytes.length,
      addedAt: deps.clock.now(),
      notes,
    },
    // One of this machine is read again where it lies.
    document.type === 'pdf' && file.path === undefined ? file.bytes : undefined,
  )
  tell(added.isNew ? 'done' : 'unchanged')
  if (added.isNew) deps.onAdded?.(owner, added.record)
  return added
}

async function hashIn({ name, bytes }: NewFile): Promise<string> {
  try {
    return await hashFile(bytes)
  } catch (thrown) {
    throw unreadable(name, thrown)
  }
}

/**
 * Where the content of a file lies that is not too large.
 * @throws TuttiError `DocumentError` when it is, or is not there
 */
export async function readFileContent({ path, name }: FoundFile, limits: ReadLimits): Promise<OnDisk> {
  try {
    const { size } = await stat(path)
    assertSize(name, size, limits)
    return { at: path, length: size }
  } catch (thrown) {
    throw unreadable(name, thrown)
  }
}

/** Why a file on disk could not be opened or read, as a sentence where it is known. */
function unreadable(name: string, thrown: unknown): unknown {
  const { code } = thrown as NodeJS.ErrnoException
  if (code === 'ENOENT') return documentError(`${name} no longer exists.`, thrown)
  if (code === 'EACCES' || code === 'EPERM')
    return documentError(`${name} may not be read; change its permissions.`, thrown)
  return thrown
}
