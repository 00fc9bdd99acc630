import { TuttiError } from '../../domain/errors.ts'
import type { Rejection } from '../../domain/job.ts'
import { plainCopy } from '../log/plain-json.ts'
import type { CallSite } from './call-site.ts'

/**
 * `ctx.sendBack`: ends the attempt and gives the reason to the next one. Not possible if the job made, or may have
 * made, an irreversible call: another attempt could not undo it and must not repeat it. Calls of a nested run are not
 * checked.
 */
export function sendBack({ call, attempt }: CallSite, rejection: Rejection, max: number): 'done' | 'limit' {
  attempt.assertAlive()
  const { host, job } = call
  const { effects = [], rejections = [] } = host.state.jobs.get(job.key) ?? {}
  const hasRuns = [...host.state.children.keys()].some((path) => path.startsWith(`${job.key}/`))
  if (effects.length > 0 || hasRuns) return 'done'
  if (rejections.length >= max) return 'limit'
  call.rejected = plainCopy(rejection, `What was said of ${job.key}`)
  throw new TuttiError('ResultRejected', rejection.text)
}
