import type { Clock } from '../shared/clock.ts'
import type { ArtifactStore } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Owner } from '../domain/events.ts'
import { insert, rowRecord, sql, type Query, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'

/** A resumable upload. */
export interface Upload {
  readonly uploadId: string
  readonly owner: Owner
  readonly name: string
  /** Size of the whole file. */
  readonly bytes: number
  /** Bytes received so far. */
  readonly received: number
  /** By which the client recognises the file. */
  readonly fingerprint?: string
  readonly expiresAt: number
}

export interface NewUpload extends Pick<Upload, 'uploadId' | 'name' | 'bytes' | 'fingerprint'> {
  /** The user whose quota it counts towards; absent for documents of the installation. */
  readonly chargedTo?: Owner
}

interface Piece {
  readonly id: string
  readonly bytes: number
}

type Row = Omit<Upload, 'received'> & { readonly pieces: readonly Piece[] }

export const UPLOAD_RETENTION_MS = 24 * 3_600_000
const MAX_UPLOADS = 50
/** Maximum of pieces per upload. A client that needs more sends very little between interruptions. */
const MAX_PIECES = 5_000

/**
 * Resumable uploads. The pieces are stored with the artifacts, where every process finds them. An upload without new
 * pieces for a day is deleted.
 */
export class Uploads extends SqlStore {
  private readonly artifacts: ArtifactStore

  constructor(runner: SqlRunner, clock: Clock, artifacts: ArtifactStore) {
    super(runner, clock)
    this.artifacts = artifacts
  }

  /**
   * Starts an upload, or returns the existing one with this ID.
   * @throws TuttiError `LimitReached` if the user has too many uploads
   */
  async begin(owner: Owner, { uploadId, name, bytes, chargedTo, fingerprint }: NewUpload): Promise<Upload> {
    const expiresAt = this.clock.now() + UPLOAD_RETENTION_MS
    const row = await this.sql.write(owner, function* (): Script<object> {
      const [there] = yield one(owner, uploadId)
      if (there !== undefined) return there
      const all = yield sql`SELECT 1 FROM uploads WHERE owner = ${owner}`
      if (all.length >= MAX_UPLOADS) {
        throw new TuttiError(
          'LimitReached',
          `You reached the limit of ${MAX_UPLOADS} uploads. Finish or delete one first.`,
        )
      }
      yield insert('uploads', { owner, uploadId, name, bytes, pieces: '[]', chargedTo, fingerprint, expiresAt })
      return (yield one(owner, uploadId))[0]!
    })
    return uploadOf(rowOf(row))
  }

  /** @throws TuttiError `NotFound` if it does not exist or belongs to another user */
  async get(owner: Owner, uploadId: string): Promise<Upload> {
    return uploadOf(await this.row(owner, uploadId))
  }

  async list(owner: Owner): Promise<readonly Upload[]> {
    const rows = await this.sql.of<object>(
      owner,
      sql`SELECT * FROM uploads WHERE owner = ${owner} AND expires_at >= ${this.clock.now()} ORDER BY expires_at DESC`,
    )
    return rows.map((row) => uploadOf(rowOf(row)))
  }

  /**
   * Appends bytes at an offset.
   * @returns undefined if the offset is not the next one, because another request has appended some meanwhile
   * @throws TuttiError `NotFound`; `InvalidRequest` for too many pieces
   */
  async add(owner: Owner, uploadId: string, at: number, bytes: Uint8Array): Promise<Upload | undefined> {
    const pieceOwner = artifactOwner(uploadId)
    const file = { name: String(at), mediaType: 'application/octet-stream', bytes }
    const { id } = await this.artifacts.keep(pieceOwner, file)
    const expiresAt = this.clock.now() + UPLOAD_RETENTION_MS
    const added = await this.sql.write(owner, function* (): Script<Row | undefined> {
      const [found] = yield one(owner, uploadId)
      if (found === undefined) return undefined
      const row = rowOf(found)
      // The transaction may be retried.
      if (row.pieces.at(-1)?.id === id && uploadOf(row).received === at + bytes.length) return row
      if (uploadOf(row).received !== at) return undefined
      if (row.pieces.length >= MAX_PIECES) {
        throw new TuttiError(
          'InvalidRequest',
          `The upload has more than ${MAX_PIECES} pieces. Start again with larger ones.`,
        )
      }
      const pieces = [...row.pieces, { id, bytes: bytes.length }]
      yield sql`UPDATE uploads SET pieces = ${JSON.stringify(pieces)}, expires_at = ${expiresAt}
        WHERE owner = ${owner} AND upload_id = ${uploadId}`
      return { ...row, pieces, expiresAt }
    })
    if (added !== undefined) return uploadOf(added)
    const { pieces } = await this.row(owner, uploadId).catch(async (thrown: unknown) => {
      await this.artifacts.remove(pieceOwner, id)
      throw thrown
    })
    if (!pieces.some((piece) => piece.id === id)) await this.artifacts.remove(pieceOwner, id)
    return undefined
  }

  /** Its bytes, in order. @throws TuttiError `NotFound` */
  async *read(owner: Owner, uploadId: string): AsyncGenerator<Uint8Array, void> {
    const { pieces } = await this.row(owner, uploadId)
    for (const { id } of pieces) yield (await this.artifacts.read(artifactOwner(uploadId), id)).bytes
  }

  /** Does nothing if it does not exist. */
  async remove(owner: Owner, uploadId: string): Promise<void> {
    // The row is deleted last, so that after a crash the remaining pieces can be found and deleted.
    if ((await this.sql.of(owner, one(owner, uploadId))).length === 0) return
    const pieceOwner = artifactOwner(uploadId)
    for (const id of await this.artifacts.list(pieceOwner)) await this.artifacts.remove(pieceOwner, id)
    await this.sql.of(owner, sql`DELETE FROM uploads WHERE owner = ${owner} AND upload_id = ${uploadId}`)
  }

  async removeAllOf(owner: Owner): Promise<void> {
    const rows = await this.sql.of<object>(owner, sql`SELECT * FROM uploads WHERE owner = ${owner}`)
    for (const row of rows) await this.remove(owner, rowOf(row).uploadId)
  }

  /** Bytes reserved for a user's open uploads, except these. */
  async pending(chargedTo: Owner, without: readonly string[] = []): Promise<number> {
    const rows = await this.sql.all<object>(
      sql`SELECT * FROM uploads WHERE charged_to = ${chargedTo} AND expires_at >= ${this.clock.now()}`,
    )
    const unexpired = rows.map(rowOf).filter(({ uploadId }) => !without.includes(uploadId))
    return unexpired.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Removes expired uploads. @returns how many */
  async sweep(): Promise<number> {
    const rows = await this.sql.all<object>(sql`SELECT * FROM uploads WHERE expires_at < ${this.clock.now()}`)
    for (const { owner, uploadId } of rows.map(rowOf)) await this.remove(owner, uploadId)
    return rows.length
  }

  private async row(owner: Owner, uploadId: string): Promise<Row> {
    const [found] = await this.sql.of<object>(owner, one(owner, uploadId))
    const row = found === undefined ? undefined : rowOf(found)
    if (row !== undefined && row.expiresAt >= this.clock.now()) return row
    throw new TuttiError('NotFound', 'Upload not found or expired. Start again.')
  }
}

function one(owner: Owner, uploadId: string): Query {
  return sql`SELECT * FROM uploads WHERE owner = ${owner} AND upload_id = ${uploadId}`
}

/** The owner under which the pieces are stored. */
function artifactOwner(uploadId: string): string {
  return `upload-${uploadId}`
}

function rowOf(row: object): Row {
  const { bytes, expiresAt, ...rest } = rowRecord<Row>(row, ['pieces'])
  return { ...rest, bytes: Number(bytes), expiresAt: Number(expiresAt) }
}

function uploadOf({ uploadId, owner, name, bytes, pieces, fingerprint, expiresAt }: Row): Upload {
  const received = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  return { uploadId, owner, name, bytes, received, expiresAt, ...omitUndefined({ fingerprint }) }
}
