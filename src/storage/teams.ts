import type { Owner } from '../domain/events.ts'
import { BY_USER } from '../domain/provenance.ts'
import type { NewTeam, TeamStatus, TeamStore, TeamVersion } from '../domain/team.ts'
import { insert, rowRecord, sql, where, type Query, queryRows, type Script, type SqlRunner } from './sql/query.ts'

interface Row extends Omit<TeamVersion, 'isShared' | 'isCurrent'> {
  readonly isShared: number
  readonly current: number
  readonly latest: number
}

/** For each version, the highest `current` among the versions of its team that a user may see. */
const latestFor = (reader: Owner): Query => sql`(SELECT max(current) FROM workflows w
  WHERE w.owner = workflows.owner AND w.name = workflows.name AND (w.owner = ${reader} OR w.is_shared = 1))`
const columnsFor = (reader: Owner): Query =>
  sql`SELECT owner, name, version, team, status, remark, is_shared, current, ${latestFor(reader)} AS latest, created_at, provenance
    FROM workflows`

/** Teams in the table `workflows`. */
export class SqlTeams implements TeamStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async teams(owner: Owner): Promise<readonly TeamVersion[]> {
    const found = await this.runner.of<object>(
      owner,
      sql`${columnsFor(owner)} WHERE current > 0 AND (owner = ${owner} OR is_shared = 1) AND current = ${latestFor(owner)}
        ORDER BY name, CASE WHEN owner = ${owner} THEN 0 ELSE 1 END, owner`,
    )
    const byName = new Map<string, TeamVersion>()
    for (const version of found.map(versionOf)) if (!byName.has(version.name)) byName.set(version.name, version)
    return [...byName.values()]
  }

  async unused(owner: Owner): Promise<readonly TeamVersion[]> {
    const isKept = sql`WHERE owner = ${owner} AND status <> 'removed' AND ${latestFor(owner)} = 0 ORDER BY name, version`
    const found = await this.runner.of<object>(owner, sql`${columnsFor(owner)} ${isKept}`)
    return [...new Map(found.map(versionOf).map((version) => [version.name, version])).values()]
  }

  async versions(owner: Owner, name: string): Promise<readonly TeamVersion[]> {
    const all = sql`${columnsFor(owner)} ${where({ owner, name })} ORDER BY version DESC`
    return (await this.runner.of<object>(owner, all)).map(versionOf)
  }

  async saved(owner: Owner, key: string): Promise<TeamVersion | undefined> {
    const [row] = await this.runner.of<object>(owner, savedWith(owner, key))
    return row === undefined ? undefined : versionOf(row)
  }

  save(owner: Owner, given: NewTeam): Promise<TeamVersion> {
    return this.runner.write(owner, () => saving(owner, given))
  }

  settle(owner: Owner, name: string, version: number, status: TeamStatus, remark: string): Promise<void> {
    return this.runner.write(owner, function* () {
      // A version that was removed during its trial stays removed.
      yield sql`UPDATE workflows SET status = ${status}, remark = ${remark} ${where({ owner, name, version })}
        AND status <> 'removed'`
      if (status === 'ready') yield* using(owner, name, version)
    })
  }

  use(owner: Owner, name: string, version: number): Promise<boolean> {
    return this.runner.write(owner, () => using(owner, name, version))
  }

  share(owner: Owner, name: string, isShared: boolean): Promise<boolean> {
    return this.runner.write(owner, function* () {
      const which = isShared ? sql`AND current > 0 AND current = ${latestFor(owner)}` : sql``
      const updated = yield sql`UPDATE workflows SET is_shared = ${isShared ? 1 : 0} ${where({ owner, name })} ${which}
        RETURNING version`
      return updated.length > 0
    })
  }

  remove(owner: Owner, name: string): Promise<boolean> {
    return this.runner.write(owner, () => removing(owner, name))
  }
}

function* removing(owner: Owner, name: string): Script<boolean> {
  const existing = sql`${where({ owner, name })} AND status <> 'removed'`
  const updated =
    yield sql`UPDATE workflows SET status = 'removed', is_shared = 0, current = 0 ${existing} RETURNING version`
  return updated.length > 0
}

/** The latest version number of a name, removed versions included; 0 without any. */
function* lastOf(owner: Owner, name: string): Script<number> {
  const [last] = yield* queryRows<{ version: number | null }>(
    sql`SELECT max(version) AS version FROM workflows ${where({ owner, name })}`,
  )
  return Number(last?.version ?? 0)
}

function savedWith(owner: Owner, key: string): Query {
  return sql`${columnsFor(owner)} ${where({ owner, key })}`
}

function* saving(owner: Owner, { team, key, at, provenance = BY_USER }: NewTeam): Script<TeamVersion> {
  const known = yield savedWith(owner, key)
  if (known.length > 0) return versionOf(known[0]!)
  const { name } = team
  const version = (yield* lastOf(owner, name)) + 1
  const columns = { owner, name, version, team: JSON.stringify(team), status: 'trial' }
  const labels = provenance === BY_USER ? null : JSON.stringify(provenance)
  yield insert('workflows', { ...columns, isShared: 0, current: 0, key, createdAt: at, provenance: labels })
  return versionOf((yield savedWith(owner, key))[0]!)
}

/** Repeated calls succeed as well. */
function* using(owner: Owner, name: string, version: number): Script<boolean> {
  const next = sql`(SELECT max(current) FROM workflows ${where({ owner, name })}) + 1`
  const updated = yield sql`UPDATE workflows SET current = ${next} ${where({ owner, name, version, status: 'ready' })}
    RETURNING version`
  return updated.length > 0
}

function versionOf(row: object): TeamVersion {
  const { isShared, current, latest, ...rest } = rowRecord<Row>(row, ['team', 'provenance'])
  const version = { ...rest, version: Number(rest.version), createdAt: Number(rest.createdAt) }
  const isCurrent = Number(current) > 0 && Number(current) === Number(latest)
  return { ...version, isShared: Number(isShared) === 1, isCurrent }
}
