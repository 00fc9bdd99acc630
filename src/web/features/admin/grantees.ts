import type { Schemas } from '../../../client/api-types.ts'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import type { Person } from '../../app/session.ts'
import { useWords } from '../../locales/words.tsx'

export type Group = Schemas['Group']

export type Level = 'reader' | 'editor'

export function usePeople() {
  return useGet<Items<Person>>('/people')
}

export function useGroups() {
  return useGet<Items<Group>>('/groups')
}

/** Everybody that something can be given to, as the server writes them, with the names that people have for them. */
export function useGrantees(): Readonly<Record<string, string>> {
  const { words } = useWords()
  const groups = useGroups().data?.items ?? []
  const people = usePeople().data?.items ?? []
  return {
    everyone: words.admin.everyone,
    ...Object.fromEntries(groups.map(({ groupId, name }) => [`group:${groupId}`, name])),
    ...Object.fromEntries(people.map(({ userId, displayName }) => [`user:${userId}`, displayName])),
  }
}

/** Link with a token. The token is in the fragment, so that servers do not log it. */
export function linkOf(what: 'invitation' | 'reset', token: string): string {
  return `${location.origin}/#${what}=${encodeURIComponent(token)}`
}
