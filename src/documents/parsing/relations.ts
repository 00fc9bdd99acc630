import { posix } from 'node:path'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** Another part of an Office file that a part names. */
export interface Relation {
  readonly id: string
  /** The last word of its address, such as `worksheet`. */
  readonly type: string
  /** From the root of the archive. */
  readonly path: string
  /** As it is written, such as a web address. */
  readonly target: string
}

/** The parts that a part names. @see ECMA-376 Part 2, 9.3 */
export async function relationsOf(parts: ReadonlyMap<string, ZipEntry>, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part)
  const entry = parts.get(`${folder}/_rels/${posix.basename(part)}.rels`)
  const relations: Relation[] = []
  if (entry === undefined) return relations
  await readXml(entry, {
    open(name, { Id = '', Target = '', Type = '' }) {
      if (name !== 'Relationship') return
      // A target is relative to the part, or written from the root.
      const path = posix.join('/', Target.startsWith('/') ? '' : folder, Target).slice(1)
      relations.push({ id: Id, type: posix.basename(Type), path, target: Target })
    },
  })
  return relations
}
