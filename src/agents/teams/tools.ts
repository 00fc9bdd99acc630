import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import { BY_USER, outsideData } from '../../domain/provenance.ts'
import { teamSchema, type Team, type TeamStore } from '../../domain/team.ts'
import { defineTool, type ToolInfo } from '../../domain/tool.ts'

/** The tool as planners and users see it. */
export const SAVE_TEAM = {
  name: 'save_team',
  description: 'Saves a team, after approval of exactly this team; it is used once it has passed its checks.',
  effect: 'irreversible',
} as const satisfies ToolInfo

const ASKED_SINCE = 'Once this team has passed its checks, it works as one of the agents'

/** The team in an approval's payload; undefined if it is invalid, for example because parts are masked. */
export function teamInPayload(payload: unknown): Team | undefined {
  return z.object({ team: teamSchema }).safeParse(payload).data?.team
}

/**
 * The architect's tools for the teams of one owner.
 * @param remark put first in the approval's reason
 * @param sinceVersion the version named in the approval
 */
export function teamTools(store: TeamStore, owner: Owner, now: () => number, remark: string, sinceVersion?: number) {
  const nextOf = async (name: string): Promise<number> => 1 + ((await store.versions(owner, name))[0]?.version ?? 0)
  return {
    /** A file's content is labelled as outside data, even if the user provides the file. */
    receive: defineTool({
      name: 'receive_team',
      description: 'Reads a team that was given as a file.',
      effect: 'read',
      reach: 'inside',
      provenance: outsideData('a file with a team'),
      input: z.object({ team: z.unknown() }),
      run: async ({ team }) => ({ team }),
    }),
    /** A journalled call, so that a resumed job uses the same version. */
    count: defineTool({
      name: 'count_versions',
      description: 'Says which version of a team would be the next.',
      effect: 'read',
      reach: 'inside',
      provenance: BY_USER,
      input: z.object({ name: z.string() }),
      run: async ({ name }) => ({ version: await nextOf(name) }),
    }),
    save: defineTool<{ team: Team }, { version: number }>({
      ...SAVE_TEAM,
      provenance: BY_USER,
      askedSince: [...(remark === '' ? [] : [remark]), ASKED_SINCE].join('. '),
      input: z.object({ team: teamSchema }) as never,
      run: async ({ team }, { idempotencyKey: key, provenance }) => {
        if (sinceVersion !== undefined && (await nextOf(team.name)) !== sinceVersion) throw changedMeanwhile(team)
        return versionIn(await store.save(owner, { team, key, at: now(), provenance }))
      },
      check: async (_input, key) => {
        const saved = await store.saved(owner, key)
        return saved === undefined ? { state: 'not-done' } : { state: 'done', output: versionIn(saved) }
      },
    }),
    settle: defineTool({
      name: 'settle_team',
      description: 'Keeps what came of the checks of a team; one that has passed is used from then on.',
      effect: 'write',
      reach: 'inside',
      provenance: BY_USER,
      input: z.object({
        name: z.string(),
        version: z.number(),
        status: z.enum(['ready', 'failed']),
        remark: z.string(),
      }),
      run: async ({ name, version, status, remark }) => {
        await store.settle(owner, name, version, status, remark)
        return { name, version, status }
      },
    }),
  }
}

/** The error if the team has changed since its approval was requested. */
function changedMeanwhile({ name }: Team): TuttiError {
  const message = `The team “${name}” was changed or removed while this waited to be approved, and nothing was saved. Ask for it once more.`
  return new TuttiError('InvalidRequest', message)
}

function versionIn({ version }: { readonly version: number }): { version: number } {
  return { version }
}
