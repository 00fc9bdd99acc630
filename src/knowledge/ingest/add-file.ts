import { readFile, stat } from 'node:fs/promises'
import { toTuttiError } from '../../core/errors.ts'
import { documentError } from '../parsing/document-error.ts'
import type { ReadLimits } from '../parsing/limits.ts'
import { assertSize } from '../parsing/parse.ts'
import { readDocument, type ReadDocument } from '../parsing/read-document.ts'
import type { Readers } from '../parsing/readers.ts'
import type { DocumentRecord, IngestProgress, KnowledgeStore } from '../types.ts'
import { asDescription, BEGINNING_CHARACTERS, describeByRules, type DescribeInput } from './describe.ts'
import type { FoundFile } from './find-files.ts'
import { hashOf } from './hash.ts'
import type { Added, IngestOptions, IngestorDeps, NewFile } from './ingestor.ts'

/** Finds the document that a file would replace: by its path, or by its name when it has none. */
export type Known = (file: { readonly name: string; readonly path?: string }) => DocumentRecord | undefined

/** The owner's documents as they are now. */
export async function knownDocuments(store: KnowledgeStore, owner: string): Promise<Known> {
  const keyOf = ({ name, path }: Parameters<Known>[0]): string =>
    JSON.stringify(path === undefined ? { name } : { path })
  const byKey = new Map((await store.documents(owner)).map((record) => [keyOf(record), record]))
  return (file) => byKey.get(keyOf(file))
}

type Deps = IngestorDeps & { readonly limits: ReadLimits; readonly readers?: Readers }

/**
 * Adds one file, whole or not at all; one whose content is known is left as it is without being parsed.
 * @throws TuttiError `DocumentError` with one sentence, or the signal's reason
 */
export async function addFile(
  deps: Deps,
  owner: string,
  file: NewFile,
  known: Known,
  options: IngestOptions,
): Promise<Added> {
  const { signal, onProgress } = options
  const tell = (stage: IngestProgress['stage']): void => onProgress?.({ name: file.name, stage })
  assertSize(file.name, file.bytes.length, deps.limits)
  const hash = await hashOf(file.bytes)
  const before = known(file)
  if (before?.hash === hash) {
    tell('unchanged')
    return { record: before, isNew: false }
  }
  tell('parsing')
  const { headings, title, notes, ...document } = await readDocument(file, {
    clock: deps.clock,
    limits: deps.limits,
    ...(deps.readers === undefined ? {} : { readers: deps.readers }),
    onChunking: () => tell('chunking'),
    ...(signal === undefined ? {} : { signal }),
  })
  tell('describing')
  const described = await describe(
    deps,
    file.name,
    { ...document, ...(title === undefined ? {} : { title }), headings },
    signal,
  )
  signal?.throwIfAborted()
  tell('storing')
  const added = await deps.store.put(owner, {
    ...document,
    name: file.name,
    ...(file.path === undefined ? {} : { path: file.path }),
    hash,
    description: described.text,
    bytes: file.bytes.length,
    addedAt: deps.clock.now(),
    notes: [...notes, ...described.notes],
  })
  tell(added.isNew ? 'done' : 'unchanged')
  return added
}

/** If the model fails, rules write the description, and the document says so. */
async function describe(
  { describe }: Deps,
  name: string,
  { type, title, headings, pages, text }: Omit<ReadDocument, 'notes'>,
  signal: AbortSignal | undefined,
): Promise<{ text: string; notes: string[] }> {
  const input: DescribeInput = {
    name,
    type,
    ...(title === undefined ? {} : { title }),
    headings: [...headings],
    ...(pages === undefined ? {} : { pages }),
    characters: text.length,
    beginning: text.slice(0, BEGINNING_CHARACTERS),
  }
  if (describe === undefined) return { text: describeByRules(input), notes: [] }
  try {
    return { text: asDescription(await describe(input, signal)) || describeByRules(input), notes: [] }
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown
    const note = `Its description was made by rules, since the model failed: ${toTuttiError(thrown).message}`
    return { text: describeByRules(input), notes: [note] }
  }
}

/**
 * The content of a file that is not too large.
 * @throws TuttiError `DocumentError` when it is, or cannot be read
 */
export async function readPath({ path, name }: FoundFile, limits: ReadLimits): Promise<Buffer> {
  try {
    assertSize(name, (await stat(path)).size, limits)
    return await readFile(path)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT') throw documentError(`${name} is not there any more.`, thrown)
    if (code === 'EACCES' || code === 'EPERM')
      throw documentError(`${name} may not be read; change its permissions.`, thrown)
    throw thrown
  }
}
