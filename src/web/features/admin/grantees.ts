import type { Schemas } from '../../../client/api-types.ts'
import { useEndpoint } from '../../app/data.ts'
import { useWords } from '../../locales/words.tsx'

export type Group = Schemas['Group']

export type Level = 'reader' | 'editor'

export function usePeople() {
  return useEndpoint('/people')
}

/** Display names of the users by id. */
export function usePersonNames(): Readonly<Record<string, string>> {
  const people = usePeople().data?.items ?? []
  return Object.fromEntries(people.map(({ userId, displayName }) => [userId, displayName]))
}

export function useGroups() {
  return useEndpoint('/groups')
}

/** Names of everyone, the groups and the users, by the ids that grants and limits use. */
export function useGrantees(): Readonly<Record<string, string>> {
  const { words } = useWords()
  const groups = useGroups().data?.items ?? []
  const people = Object.entries(usePersonNames())
  return {
    everyone: words.admin.everyone,
    ...Object.fromEntries(groups.map(({ groupId, name }) => [`group:${groupId}`, name])),
    ...Object.fromEntries(people.map(([userId, name]) => [`user:${userId}`, name])),
  }
}

/** Link to set a password. The token is in the fragment, so that servers do not log it. */
export function resetLink(token: string): string {
  return `${location.origin}/#reset=${encodeURIComponent(token)}`
}
