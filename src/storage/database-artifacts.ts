import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ArtifactFile, ArtifactRef, ArtifactStore, Erasure } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { fixed, queryRows, rowRecord, sql, where, type Script, type SqlRunner } from './sql/query.ts'

/** Bytes per row. SQLite blocks the event loop while it writes one. */
const PIECE_BYTES = 262_144
/** Frees at least the pages of a piece; databases created without `auto_vacuum` keep them for new data. */
const FREE_PAGES = fixed('PRAGMA incremental_vacuum(128)')
/** Older pieces without an artifact were left by a crash. */
const MAX_WRITE_MS = 86_400_000

/** Stores artifacts next to the runs, in pieces. An artifact exists once its row in `artifacts`, written last, does. */
export class DatabaseArtifacts implements ArtifactStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async keep(owner: Owner, { name: given, mediaType, bytes }: ArtifactFile, runId = ''): Promise<ArtifactRef> {
    // Texts in PostgreSQL cannot contain a NUL.
    const name = given.replaceAll('\0', '')
    const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, place) =>
      bytes.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES),
    )
    const hash = createHash('sha256').update(`${runId}\0${name}\0${mediaType}\0`)
    for (const piece of pieces) {
      hash.update(piece)
      await nextTurn()
    }
    const id = hash.digest('hex').slice(0, 32)
    const ref = { id, name, mediaType, bytes: bytes.length }
    if ((await this.find(owner, id)) !== undefined) return ref
    for (const [place, piece] of pieces.entries()) {
      await this.runner.of(
        owner,
        sql`INSERT INTO artifact_pieces (owner, id, place, written_at, bytes)
          VALUES (${owner}, ${id}, ${place}, ${Date.now()}, ${piece})
          ON CONFLICT (owner, id, place) DO UPDATE SET written_at = excluded.written_at`,
      )
      await nextTurn()
    }
    await this.runner.write(owner, function* (): Script<void> {
      const written = yield* queryRows(sql`SELECT place FROM artifact_pieces ${where({ owner, id })}`)
      if (written.length < pieces.length) throw removedError(name)
      yield sql`INSERT INTO artifacts (owner, id, name, media_type, size)
        VALUES (${owner}, ${id}, ${name}, ${mediaType}, ${bytes.length}) ON CONFLICT (owner, id) DO NOTHING`
    })
    return ref
  }

  async read(owner: Owner, id: string): Promise<ArtifactFile> {
    const found = await this.find(owner, id)
    if (found === undefined) throw notFound(id)
    const bytes = Buffer.alloc(Number(found.size))
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const [piece] = await this.runner.of<{ bytes: ArrayBuffer }>(
        owner,
        sql`SELECT bytes FROM artifact_pieces ${where({ owner, id, place: at / PIECE_BYTES })}`,
      )
      // Another process is removing the artifact.
      if (piece === undefined) throw notFound(id)
      bytes.set(new Uint8Array(piece.bytes), at)
      await nextTurn()
    }
    return { name: found.name, mediaType: found.media_type, bytes }
  }

  async list(owner: Owner): Promise<readonly string[]> {
    const found = await this.runner.of<{ id: string }>(owner, sql`SELECT id FROM artifacts ${where({ owner })}`)
    return found.map(({ id }) => id)
  }

  async remove(owner: Owner, ...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.runner.of(owner, sql`DELETE FROM artifacts ${where({ owner, id })}`)
      const pieces = await this.runner.of<{ place: number }>(
        owner,
        sql`SELECT place FROM artifact_pieces ${where({ owner, id })}`,
      )
      for (const { place } of pieces) {
        await this.runner.of(owner, sql`DELETE FROM artifact_pieces ${where({ owner, id, place })}`)
        if (this.runner.dialect === 'sqlite') await this.runner.all(FREE_PAGES)
        await nextTurn()
      }
    }
    if (ids.length > 0) this.runner.emptyLog()
  }

  async begin({ owner, runId, files }: Erasure): Promise<void> {
    await this.runner.all(
      sql`INSERT INTO erasures (owner, run_id, files) VALUES (${owner}, ${runId}, ${JSON.stringify(files)})
        ON CONFLICT (owner, run_id) DO UPDATE SET files = excluded.files`,
    )
  }

  async begun(): Promise<readonly Erasure[]> {
    await this.removeUnfinished()
    const found = await this.runner.all<object>(sql`SELECT owner, run_id, files FROM erasures`)
    return found.map((row) => {
      const { files, ...erasure } = rowRecord<Omit<Erasure, 'files'> & { files: string }>(row)
      return { ...erasure, files: JSON.parse(files) as string[] }
    })
  }

  async end({ owner, runId }: Erasure): Promise<void> {
    await this.runner.all(sql`DELETE FROM erasures ${where({ owner, run_id: runId })}`)
  }

  private async find(owner: Owner, id: string): Promise<StoredArtifact | undefined> {
    const query = sql`SELECT name, media_type, size FROM artifacts ${where({ owner, id })}`
    return (await this.runner.of<StoredArtifact>(owner, query))[0]
  }

  private async removeUnfinished(): Promise<void> {
    const found = await this.runner.all<{ owner: Owner; id: string }>(
      sql`SELECT DISTINCT owner, id FROM artifact_pieces p WHERE written_at < ${Date.now() - MAX_WRITE_MS}
        AND NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.owner = p.owner AND a.id = p.id)`,
    )
    for (const { owner, id } of found) await this.remove(owner, id)
  }
}

interface StoredArtifact {
  readonly name: string
  readonly media_type: string
  readonly size: number
}

function notFound(id: string): TuttiError {
  return new TuttiError('ArtifactNotFound', `There is no artifact ${id}.`)
}

function removedError(name: string): TuttiError {
  return new TuttiError('StorageError', `The file ${name} was removed while it was written; try again.`)
}
