import { TuttiError } from '../../domain/errors.ts'
import { sql, type Dialect, type Query } from './query.ts'

/** The database's error message for a row of an erased user. */
export const ERASED = 'the person was erased'
/** The same as an SQLSTATE, of a class that PostgreSQL does not use. */
export const ERASED_STATE = 'TTE01'

/** Bookkeeping rows of work in progress. They are dropped silently, so that no run fails because of them. */
const DROPPED = new Set(['approvals', 'quota_use', 'run_usage'])

export function erasedError(cause: unknown): TuttiError<'NotFound'> {
  return new TuttiError('NotFound', 'The owner of this was erased; nothing was kept.', { cause })
}

/** Returns a row if the user was erased, or is being erased. */
export function erased(userId: string): Query {
  return sql`SELECT 1 FROM erased_people WHERE person = ${userId}`
}

/**
 * The lock under which a user is marked as erased. Writers for the user share it, so they either see the mark or finish
 * first.
 */
export function erasureLock(userId: string): string {
  return `erased ${userId}`
}

/** Statements that make a table reject rows of erased users. `column` names the owner's column. */
export function refuseErased(dialect: Dialect, name: string, column: string): readonly string[] {
  const trigger = `erased_${name.replaceAll('"', '')}_${column}`
  if (dialect === 'sqlite') {
    const person = column === 'grantee' ? `substr(NEW.grantee, 6)` : `NEW.${column}`
    const answer = DROPPED.has(name) ? 'IGNORE' : `ABORT, '${ERASED}'`
    return [
      `DROP TRIGGER IF EXISTS ${trigger}`,
      `CREATE TRIGGER ${trigger} BEFORE INSERT ON ${name}
        WHEN EXISTS (SELECT 1 FROM erased_people WHERE person = ${person}) BEGIN SELECT RAISE(${answer}); END`,
    ]
  }
  return [
    `DROP TRIGGER IF EXISTS "${trigger}" ON ${name}`,
    `CREATE TRIGGER "${trigger}" BEFORE INSERT ON ${name} FOR EACH ROW
      EXECUTE FUNCTION tutti_refuse_erased('${column}', '${DROPPED.has(name) ? 'drop' : 'refuse'}')`,
  ]
}

/**
 * The trigger function of PostgreSQL. Each of its statements sees all commits so far, including the mark of an erasure.
 */
export const REFUSE_ERASED = `
CREATE OR REPLACE FUNCTION tutti_refuse_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE whose text;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO whose USING NEW;
  IF TG_ARGV[0] = 'grantee' THEN whose := substr(whose, 6); END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('tutti erased ' || whose, 0)) WHERE whose IS NOT NULL;
  IF NOT EXISTS (SELECT 1 FROM erased_people WHERE person = whose) THEN RETURN NEW; END IF;
  IF TG_ARGV[1] = 'drop' THEN RETURN NULL; END IF;
  RAISE EXCEPTION '${ERASED}' USING ERRCODE = '${ERASED_STATE}';
END $$`
