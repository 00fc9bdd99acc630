import type { People } from '../accounts/people.ts'
import { LOCAL_OWNER } from '../domain/events.ts'
import { isFinal } from '../domain/store.ts'
import type { UserRuns } from '../domain/user-runs.ts'
import type { AppParts } from './app-parts.ts'

/** Runs of users who are not present. They count towards the limits of their user as all others do. */
export function userRuns({ accounts }: People, { as }: AppParts['users']): UserRuns {
  return {
    async refusal(owner) {
      if (owner === LOCAL_OWNER) return undefined
      const person = await accounts.byId(owner)
      if (person === undefined) return (await accounts.hasAny()) ? 'This account was deleted.' : undefined
      if (person.isDisabled) return 'This account is disabled.'
      return person.role === 'viewer' ? 'This account may only read.' : undefined
    },
    start: (owner, request, runId, { earlier, provenance } = {}) =>
      as(owner).start(request, runId, earlier, undefined, provenance),
    async outcome(owner, runId) {
      const { runs, response } = as(owner)
      const record = await runs.run(runId)
      if (record === undefined) return 'none'
      return isFinal(record.status) ? response(runId) : 'running'
    },
  }
}
