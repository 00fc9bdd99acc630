import { z } from 'zod'
import { TEAM_NAMED } from '../../agents/teams/architect.ts'
import { architectRequest, goalOf } from '../../agents/teams/architect-request.ts'
import { teamRunRequest } from '../../agents/teams/team-agent.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { teamName, teamSchema, type TeamVersion } from '../../domain/team.ts'
import type { Resource } from '../context.ts'
import { startOnce } from '../runs/start.ts'
import { time, itemsSchema } from '../schemas.ts'

const versionSchema = z
  .object({
    name: z.string(),
    version: z.number().int(),
    team: teamSchema,
    status: z.enum(['trial', 'ready', 'failed', 'removed']),
    remark: z.string().optional().describe('Result of its checks'),
    isShared: z.boolean(),
    isCurrent: z.boolean(),
    isOwn: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'TeamVersion' })
const list = itemsSchema(versionSchema)
const begun = z.object({ runId: z.string() })

/** Teams of agents: view, design, enable, and revert to an earlier version. */
export const teams: Resource = async (routes, { app }) => {
  /** Teams in use, and the user's own teams that are not in use, to be fixed or deleted. */
  const availableTeams = async (userId: string): Promise<readonly TeamVersion[]> => {
    const [used, unused] = await Promise.all([app.teams.teams(userId), app.teams.unused(userId)])
    return [...used, ...unused.filter(({ name }) => used.every((one) => one.name !== name))]
  }
  const findTeam = async (userId: string, name: string): Promise<TeamVersion> => {
    const version = (await availableTeams(userId)).find((one) => one.name === name)
    if (version === undefined) throw new TuttiError('NotFound', `There is no team ${name}.`)
    return version
  }
  routes.get(
    '/teams',
    { access: 'read', summary: 'The teams that the caller can use, and own ones that are not in use', response: list },
    async ({ caller: { userId } }) => ({
      items: (await availableTeams(userId)).map((one) => teamView(one, userId)),
    }),
  )
  routes.post(
    '/teams',
    {
      access: 'ask',
      summary: 'Design a team for a goal: a run, whose plan waits for approval',
      body: z.strictObject({
        goal: z.string().trim().min(1).max(4_000),
        name: teamName.optional().describe('Default: chosen by the architect'),
      }),
      response: { 202: begun },
    },
    async (request, reply) => {
      const mine = app.as(request.caller.userId)
      const names = (await mine.team()).map(({ name }) => name)
      const { goal, name } = request.body
      const asked = architectRequest(goalOf(goal), names, omitUndefined({ [TEAM_NAMED]: name }))
      return { runId: await startOnce(mine, asked, request, reply) }
    },
  )
  routes.get(
    '/teams/:team',
    { access: 'read', summary: 'All versions of a team', response: list },
    async ({ caller: { userId }, params: { team } }) => {
      const current = await findTeam(userId, team)
      // Of shared teams, only the version in use is visible.
      const versions = current.owner === userId ? await app.teams.versions(userId, team) : [current]
      return { items: versions.map((one) => teamView(one, userId)) }
    },
  )
  routes.delete(
    '/teams/:team',
    { access: 'manage', summary: 'Take an own team out of use' },
    async ({ caller: { userId }, params: { team } }) => {
      if (!(await app.teams.remove(userId, team))) throw new TuttiError('NotFound', `You have no team ${team}.`)
    },
  )
  routes.post(
    '/teams/:team/use',
    {
      access: 'ask',
      summary: 'Use another version of an own team, such as the previous one',
      body: z.strictObject({ version: z.int().min(1) }),
      response: versionSchema,
    },
    async ({ caller: { userId }, params: { team }, body: { version } }) => {
      if (!(await app.teams.use(userId, team, version))) {
        throw new TuttiError('NotFound', `There is no version ${version} of ${team} that is yours and ready.`)
      }
      return teamView(await findTeam(userId, team), userId)
    },
  )
  routes.post(
    '/teams/:team/runs',
    {
      access: 'ask',
      summary: 'Ask a team a question; default: the first of its checks',
      body: z.strictObject({ question: z.string().trim().min(1).optional() }),
      response: { 202: begun },
    },
    async (request, reply) => {
      const { caller, params: asked, body } = request
      const version = await findTeam(caller.userId, asked.team)
      if (!version.isCurrent) {
        throw new TuttiError('InvalidRequest', `The team ${version.name} is not in use. Fix it and submit it again.`)
      }
      const wanted = teamRunRequest(version, caller.userId, body.question)
      return { runId: await startOnce(app.as(caller.userId), wanted, request, reply) }
    },
  )
}

function teamView({ owner, ...version }: TeamVersion, userId: string): z.infer<typeof versionSchema> {
  return { ...version, isOwn: owner === userId }
}
