import { z } from 'zod'
import { TEAM_GIVEN } from '../../agents/teams/architect.ts'
import { architectRequest } from '../../agents/teams/architect-request.ts'
import { isUnusable } from '../../agents/teams/members.ts'
import { teamProblems } from '../../agents/teams/registry.ts'
import { TuttiError } from '../../domain/errors.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import { parseTeam, TEAM_TOOL, teamSchema } from '../../domain/team.ts'
import type { Resource } from '../context.ts'
import { startOnce } from '../runs/start.ts'

const drafted = z.strictObject({ team: z.looseObject({}).describe('In the format of `TeamVersion`') })

/** Teams that users edit by hand. */
export const teamDesigner: Resource = async (routes, { app }) => {
  routes.post(
    '/teams/check',
    {
      access: 'read',
      summary: 'Validate a team without saving it: its flaws by place, and the tools that its members can have',
      body: drafted,
      response: z.object({
        issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
        flaws: z.array(z.string()).readonly().describe('What this installation lacks for the team'),
        tools: z.array(
          z.object({
            name: z.string(),
            description: z.string(),
            effect: z.enum(['read', 'write', 'irreversible']),
          }),
        ),
      }),
    },
    async ({ caller: { userId }, body: { team } }) => {
      const registry = await app.teamRegistry(userId)
      const parsed = teamSchema.safeParse(team)
      const issues = parsed.success ? [] : problemsIn(parsed.error)
      const created = [...registry.tools.values()]
        .filter((known) => !isUnusable(known, registry))
        .map(({ info: { name, description, effect } }) => ({ name, description, effect }))
      const teams = registry.teams
        .filter(({ name }) => name !== team['name'])
        .map(({ name, description }) => ({ name: TEAM_TOOL + name, description, effect: 'read' as const }))
      return {
        issues: issues.map(({ path, message }) => ({
          path: path.map((one) => (typeof one === 'number' ? one : String(one))),
          message,
        })),
        flaws: parsed.success ? teamProblems(parsed.data, registry) : [],
        tools: [...created, ...teams],
      }
    },
  )
  routes.post(
    '/teams/:team/versions',
    {
      access: 'ask',
      summary: 'Submit a new version of a team for approval and trial: a run; if its checks pass, the version is used',
      body: drafted,
      response: { 202: z.object({ runId: z.string() }) },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const { name } = parseTeam(body.team)
      if (name !== params.team) {
        throw new TuttiError('InvalidRequest', `A version of "${params.team}" must keep that name.`)
      }
      const mine = app.as(caller.userId)
      const names = (await mine.team()).map((agent) => agent.name)
      const asked = architectRequest(`Take a new version of the team "${name}"`, names, { [TEAM_GIVEN]: body.team })
      return { runId: await startOnce(mine, asked, request, reply) }
    },
  )
}
