import type { Engine } from '../engine/engine.ts'
import type { AppParts } from './app-parts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { isSecretName } from '../shared/secret-names.ts'
import type { DocumentRecord } from '../documents/types.ts'
import { ownedRows } from '../storage/owned-rows.ts'
import { documentLocations } from './run-documents.ts'

export type ExportParts = Pick<
  AppParts,
  'people' | 'artifacts' | 'knowledge' | 'storage' | 'schedules' | 'evaluations' | 'mailboxes' | 'options'
> & { readonly engine: Pick<Engine, 'as'> }

/** Exported elsewhere: with the logs, whose secrets are masked, and with the documents. */
const ELSEWHERE = /^"?(?:runs|approvals|artifacts|artifact_pieces|erasures|knowledge_.*)"?$/
/** Credentials; they are not exported. */
const PROOF = /^(?:hash|secret_?[hH]ash)/

/** Names that look like secrets but hold the user's own input. */
const OWN_WORDS = new Set(['webhook'])

const README = `What Tutti keeps of one person.

person.json      the account
mailbox.json     their own mailbox, without its password, where there is one
tables/          conversations with their messages, memory, skills, teams, keys, sessions and limits, as they are kept;
                 times are milliseconds since 1970
runs/            each run with its whole log, which holds the question, what every agent did, and the answer
documents.json   the documents; documents/ has the text that was read from each, and of PDF files that were sent the file
files/           what agents made or were given: images, long answers of services
`

/**
 * All data of a user, as a gzipped tar archive, without passwords, keys and tokens.
 * @throws TuttiError `NotFound`
 */
export async function exportPerson(parts: ExportParts, userId: Owner): Promise<AsyncIterable<Uint8Array>> {
  const person = await parts.people.accounts.byId(userId)
  if (person === undefined) throw new TuttiError('NotFound', 'User not found.')
  const { createGzip } = await import('node:zlib')
  const { Readable, pipeline } = await import('node:stream')
  const now = parts.options.clock.now()
  const archive = createGzip()
  const files = filesOf(parts, userId, { ...person, exportedAt: new Date(now).toISOString() })
  // The reader of the stream receives the errors.
  pipeline(Readable.from(tar(files, now)), archive, () => undefined)
  return archive
}

async function* filesOf(
  { engine, artifacts, knowledge, storage, schedules, evaluations, mailboxes }: ExportParts,
  owner: Owner,
  person: object,
): AsyncGenerator<ArchivedFile> {
  yield { name: 'README.txt', bytes: Buffer.from(README) }
  yield json('person.json', person)
  for (const [name, rows] of Object.entries(await ownedRows(storage.sql, owner))) {
    if (ELSEWHERE.test(name)) continue
    const table = name.replaceAll('"', '')
    // All of it is sealed.
    if (table === 'mailboxes') {
      yield json('mailbox.json', (await mailboxes.describe(owner)) ?? {})
      continue
    }
    const legible = (row: Readonly<Record<string, unknown>>) =>
      table.startsWith('schedule') ? schedules.decryptRow(row) : evaluations.decryptRow(table, row)
    const decrypted = await Promise.all(rows.map(legible))
    yield json(`tables/${table}.json`, decrypted.map(withoutProofs))
  }
  const runs = engine.as(owner)
  for (const record of await runs.runs()) {
    const approvals = await runs.approvals({ runId: record.runId })
    yield json(`runs/${record.runId}.json`, { ...record, approvals, log: await runs.events(record.runId) })
  }
  const documents: DocumentRecord[] = []
  for (const { store, scope } of await documentLocations(knowledge, owner)) {
    for (const document of await store.documents(scope)) {
      documents.push(document)
      const text = await store.text(scope, document.documentId)
      if (text !== undefined) yield { name: `documents/${document.documentId}.txt`, bytes: Buffer.from(text) }
      const sent = await knowledge.originals.uploadOf(document.documentId)
      if (sent !== undefined) yield { name: `documents/${document.documentId}.pdf`, bytes: sent }
    }
  }
  yield json('documents.json', documents)
  for (const id of await artifacts.list(owner)) {
    const file = await artifacts.read(owner, id).catch((thrown: unknown) => {
      // Documents of runs are in the same list; the logs contain them.
      if (!TuttiError.is(thrown, 'ArtifactNotFound')) throw thrown
    })
    if (file !== undefined) yield { name: `files/${id.slice(0, 90)}`, bytes: file.bytes }
  }
}

function json(name: string, value: unknown): ArchivedFile {
  return { name, bytes: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`) }
}

function withoutProofs(row: Readonly<Record<string, unknown>>): object {
  const isExported = (name: string): boolean => OWN_WORDS.has(name) || (!isSecretName(name) && !PROOF.test(name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => isExported(name)))
}

const BLOCK = 512

/** A file of an archive; its name has at most 100 bytes. */
interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** An archive in the form of POSIX `ustar`, as its files come. @param at when they were written, in milliseconds */
async function* tar(files: AsyncIterable<ArchivedFile>, at: number): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes } of files) {
    yield headerOf(name, bytes.length, at)
    yield bytes
    yield new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  }
  yield new Uint8Array(2 * BLOCK)
}

function headerOf(name: string, size: number, at: number): Uint8Array {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0, 100)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(Math.floor(at / 1_000), 12), 136)
  // The checksum is computed with blanks in its own place.
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  )
  return header
}
