import { createHash } from 'node:crypto'
import type { ArtifactFile, ArtifactRef, ArtifactStore, Erasure } from '../domain/artifacts.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { rowRecord, sql, where, type SqlRunner } from './sql/query.ts'

/** Stores artifacts in PostgreSQL, where processes on all machines find them. */
export class DatabaseArtifacts implements ArtifactStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async keep(owner: Owner, { name: given, mediaType, bytes }: ArtifactFile, runId = ''): Promise<ArtifactRef> {
    // Texts in PostgreSQL cannot contain a NUL.
    const name = given.replaceAll('\0', '')
    const id = createHash('sha256').update(`${runId}\0${name}\0${mediaType}\0`).update(bytes).digest('hex').slice(0, 32)
    await this.runner.of(
      owner,
      sql`INSERT INTO artifacts (owner, id, name, media_type, bytes) VALUES (${owner}, ${id}, ${name}, ${mediaType}, ${bytes})
        ON CONFLICT (owner, id) DO NOTHING`,
    )
    return { id, name, mediaType, bytes: bytes.length, isKept: true }
  }

  async read(owner: Owner, id: string): Promise<ArtifactFile> {
    const found = await this.runner.of<object>(
      owner,
      sql`SELECT name, media_type, bytes FROM artifacts ${where({ owner, id })}`,
    )
    if (found[0] === undefined) throw new TuttiError('ArtifactNotFound', `There is no artifact ${id}.`)
    return rowRecord<ArtifactFile>(found[0])
  }

  async list(owner: Owner): Promise<readonly string[]> {
    const found = await this.runner.of<{ id: string }>(owner, sql`SELECT id FROM artifacts ${where({ owner })}`)
    return found.map(({ id }) => id)
  }

  async remove(owner: Owner, id: string): Promise<void> {
    await this.runner.of(owner, sql`DELETE FROM artifacts ${where({ owner, id })}`)
  }

  async begin({ owner, runId, files }: Erasure): Promise<void> {
    await this.runner.all(
      sql`INSERT INTO erasures (owner, run_id, files) VALUES (${owner}, ${runId}, ${JSON.stringify(files)})
        ON CONFLICT (owner, run_id) DO UPDATE SET files = excluded.files`,
    )
  }

  async begun(): Promise<readonly Erasure[]> {
    const found = await this.runner.all<object>(sql`SELECT owner, run_id, files FROM erasures`)
    return found.map((row) => {
      const { files, ...erasure } = rowRecord<Omit<Erasure, 'files'> & { files: string }>(row)
      return { ...erasure, files: JSON.parse(files) as string[] }
    })
  }

  async end({ owner, runId }: Erasure): Promise<void> {
    await this.runner.all(sql`DELETE FROM erasures ${where({ owner, run_id: runId })}`)
  }
}
