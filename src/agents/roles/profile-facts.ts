import type { Profile } from '../../core/memory.ts'

/** A profile as `field: value`. */
export function profileFacts(profile: Profile | undefined): string[] {
  return Object.entries({ ...profile?.facts, ...profile?.preferences }).map(([field, value]) => `${field}: ${value}`)
}
