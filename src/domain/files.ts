import { isObject } from '../shared/safe-json.ts'
import type { ArtifactRef } from './artifacts.ts'
import { currentKeys } from './attempts.ts'
import type { RunState } from './state.ts'

/** Media types of pictures that browsers show. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'] as const

export function isPicture({ mediaType }: Pick<ArtifactRef, 'mediaType'>): boolean {
  return (PICTURE_TYPES as readonly string[]).includes(mediaType)
}

/** Files that the tools of a run stored, in their order; of several with the same name the last. */
export function filesIn(state: Pick<RunState, 'jobs' | 'files' | 'transcripts'>): ArtifactRef[] {
  const stored = currentKeys(state).flatMap((key) => state.files.get(key) ?? [])
  return [...new Map(stored.map((file) => [file.name, file])).values()]
}

/** Files that the output of a tool names in its fields, alone or in a list. */
export function filesOfOutput(output: unknown): ArtifactRef[] {
  return isObject(output) ? Object.values(output).flat().filter(isArtifactRef) : []
}

/** Every artifact store begins its ids with 32 hexadecimal digits. */
function isArtifactRef(value: unknown): value is ArtifactRef {
  if (!isObject(value)) return false
  const { id, name, mediaType, bytes } = value
  const isId = typeof id === 'string' && /^[0-9a-f]{32}(?:-|$)/.test(id)
  return isId && typeof name === 'string' && typeof mediaType === 'string' && typeof bytes === 'number'
}
