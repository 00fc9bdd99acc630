import type { ArtifactStore } from '../domain/artifacts.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { omitUndefined } from '../shared/omit-undefined.ts'
import type { Owner } from '../domain/owner.ts'
import { insert, rowRecord, sql, type Query } from '../storage/sql/query.ts'
import type { Script, SqlRunner } from '../storage/sql/script.ts'

/** A file that is being sent in pieces, and continues after whatever cut it off. */
export interface Upload {
  readonly uploadId: string
  readonly owner: Owner
  readonly name: string
  /** Of the whole file. */
  readonly bytes: number
  /** Of them, those that are kept. */
  readonly received: number
  /** By which its sender knows the file again. */
  readonly fingerprint?: string
  readonly expiresAt: number
}

export interface NewUpload extends Pick<Upload, 'uploadId' | 'name' | 'bytes' | 'fingerprint'> {
  /** Whose room it takes; nobody's for the installation's. */
  readonly chargedTo?: Owner
}

interface Piece {
  readonly id: string
  readonly bytes: number
}

type Row = Omit<Upload, 'received'> & { readonly pieces: readonly Piece[] }

export const UPLOAD_RETENTION_MS = 24 * 3_600_000
const MOST_UPLOADS = 50
/** Of one upload: whoever is cut off this often sends little between. */
const MOST_PIECES = 5_000

/** Files that are being sent: their pieces lie with the artifacts, where each process finds them, and go when nobody continues for a day. */
export class Uploads {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private readonly artifacts: ArtifactStore

  constructor(runner: SqlRunner, clock: Clock, artifacts: ArtifactStore) {
    this.sql = runner
    this.clock = clock
    this.artifacts = artifacts
  }

  /** Begins one, or gives back the one of that id. @throws TuttiError `LimitReached` for more than somebody may have under way */
  async begin(owner: Owner, { uploadId, name, bytes, chargedTo, fingerprint }: NewUpload): Promise<Upload> {
    const expiresAt = this.clock.now() + UPLOAD_RETENTION_MS
    const row = await this.sql.write(owner, function* (): Script<object> {
      const [there] = yield one(owner, uploadId)
      if (there !== undefined) return there
      const all = yield sql`SELECT 1 FROM uploads WHERE owner = ${owner}`
      if (all.length >= MOST_UPLOADS) {
        throw new TuttiError(
          'LimitReached',
          `You have ${MOST_UPLOADS} uploads under way, as many as there may be; finish or delete some first.`,
        )
      }
      yield insert('uploads', { owner, uploadId, name, bytes, pieces: '[]', chargedTo, fingerprint, expiresAt })
      return (yield one(owner, uploadId))[0]!
    })
    return uploadOf(rowOf(row))
  }

  /** @throws TuttiError `NotFound`, also for another's */
  async of(owner: Owner, uploadId: string): Promise<Upload> {
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
   * Keeps the bytes that come at this place.
   * @returns undefined where another place is next, since somebody else has sent some meanwhile
   * @throws TuttiError `NotFound`; `InvalidRequest` for too many pieces
   */
  async add(owner: Owner, uploadId: string, at: number, bytes: Uint8Array): Promise<Upload | undefined> {
    const whose = placeOf(uploadId)
    const file = { name: String(at), mediaType: 'application/octet-stream', bytes }
    const { id } = await this.artifacts.keep(whose, file)
    const expiresAt = this.clock.now() + UPLOAD_RETENTION_MS
    const added = await this.sql.write(owner, function* (): Script<Row | undefined> {
      const [found] = yield one(owner, uploadId)
      if (found === undefined) return undefined
      const row = rowOf(found)
      // The transaction may be run twice.
      if (row.pieces.at(-1)?.id === id && uploadOf(row).received === at + bytes.length) return row
      if (uploadOf(row).received !== at) return undefined
      if (row.pieces.length >= MOST_PIECES) {
        throw new TuttiError('InvalidRequest', `This came in more than ${MOST_PIECES} pieces; send larger ones, anew.`)
      }
      const pieces = [...row.pieces, { id, bytes: bytes.length }]
      yield sql`UPDATE uploads SET pieces = ${JSON.stringify(pieces)}, expires_at = ${expiresAt}
        WHERE owner = ${owner} AND upload_id = ${uploadId}`
      return { ...row, pieces, expiresAt }
    })
    if (added !== undefined) return uploadOf(added)
    const { pieces } = await this.row(owner, uploadId).catch(async (thrown: unknown) => {
      await this.artifacts.remove(whose, id)
      throw thrown
    })
    if (!pieces.some((piece) => piece.id === id)) await this.artifacts.remove(whose, id)
    return undefined
  }

  /** Its bytes, in order. @throws TuttiError `NotFound` */
  async *read(owner: Owner, uploadId: string): AsyncGenerator<Uint8Array, void> {
    const { pieces } = await this.row(owner, uploadId)
    for (const { id } of pieces) yield (await this.artifacts.read(placeOf(uploadId), id)).bytes
  }

  /** Does nothing where there is none. */
  async remove(owner: Owner, uploadId: string): Promise<void> {
    // The row goes last: by it, what a crash leaves over is found.
    if ((await this.sql.of(owner, one(owner, uploadId))).length === 0) return
    const whose = placeOf(uploadId)
    for (const id of await this.artifacts.list(whose)) await this.artifacts.remove(whose, id)
    await this.sql.of(owner, sql`DELETE FROM uploads WHERE owner = ${owner} AND upload_id = ${uploadId}`)
  }

  async removeAllOf(owner: Owner): Promise<void> {
    const rows = await this.sql.of<object>(owner, sql`SELECT * FROM uploads WHERE owner = ${owner}`)
    for (const row of rows) await this.remove(owner, rowOf(row).uploadId)
  }

  /** Bytes that somebody's room is held for, without these. */
  async pending(chargedTo: Owner, without: readonly string[] = []): Promise<number> {
    const rows = await this.sql.all<object>(
      sql`SELECT * FROM uploads WHERE charged_to = ${chargedTo} AND expires_at >= ${this.clock.now()}`,
    )
    const held = rows.map(rowOf).filter(({ uploadId }) => !without.includes(uploadId))
    return held.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Removes what nobody continued with in time. @returns how many */
  async sweep(): Promise<number> {
    const rows = await this.sql.all<object>(sql`SELECT * FROM uploads WHERE expires_at < ${this.clock.now()}`)
    for (const { owner, uploadId } of rows.map(rowOf)) await this.remove(owner, uploadId)
    return rows.length
  }

  private async row(owner: Owner, uploadId: string): Promise<Row> {
    const [found] = await this.sql.of<object>(owner, one(owner, uploadId))
    const row = found === undefined ? undefined : rowOf(found)
    if (row !== undefined && row.expiresAt >= this.clock.now()) return row
    throw new TuttiError('NotFound', 'There is no such upload (any more); begin it anew.')
  }
}

function one(owner: Owner, uploadId: string): Query {
  return sql`SELECT * FROM uploads WHERE owner = ${owner} AND upload_id = ${uploadId}`
}

/** Under whom its pieces lie. */
function placeOf(uploadId: string): string {
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
