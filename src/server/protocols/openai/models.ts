import { teamRunRequest } from '../../../agents/teams/team-agent.ts'
import { TuttiError } from '../../../domain/errors.ts'
import type { RequestInput } from '../../../domain/request.ts'
import type { TeamStore } from '../../../domain/team.ts'

interface Offering {
  readonly strategies: readonly string[]
  readonly teams: Pick<TeamStore, 'teams'>
}

/** A strategy, or a team that the user may use. */
export interface Model {
  readonly name: string
  /** Sets this strategy or team in a request. */
  applyTo(request: RequestInput): RequestInput
}

/** Strategies come first, and take precedence over a team of the same name. */
export async function listModels({ strategies, teams }: Offering, userId: string): Promise<readonly Model[]> {
  const built = (await teams.teams(userId)).filter(({ name }) => !strategies.includes(name))
  return [
    ...strategies.map((name): Model => ({ name, applyTo: (request) => ({ ...request, strategy: name }) })),
    ...built.map((version): Model => ({
      name: version.name,
      applyTo({ question, systemPrompt, ...request }) {
        const ofTeam = teamRunRequest(version, userId, question)
        const prompts = [systemPrompt, ofTeam.systemPrompt].filter((text) => text !== undefined).join('\n\n')
        return { ...ofTeam, ...request, ...(prompts === '' ? {} : { systemPrompt: prompts }) }
      },
    })),
  ]
}

/** @throws TuttiError `NotFound` */
export async function findModel(offering: Offering, userId: string, name: string): Promise<Model> {
  const all = await listModels(offering, userId)
  const match = all.find((model) => model.name === name)
  if (match !== undefined) return match
  throw new TuttiError('NotFound', `Unknown model "${name}". Available: ${all.map((model) => model.name).join(', ')}.`)
}
