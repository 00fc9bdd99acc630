import type { Outcome } from '../../domain/result.ts'
import type { ActorCall } from '../calls/actor-call.ts'

/** One layer around an actor. It may call `next` once, several times (retry) or not at all. */
export type Middleware = (call: ActorCall, next: () => Promise<Outcome>) => Promise<Outcome>

/** Puts layers around `core`, the first one outermost. */
export function compose(
  layers: readonly Middleware[],
  core: (call: ActorCall) => Promise<Outcome>,
): (call: ActorCall) => Promise<Outcome> {
  return layers.reduceRight<(call: ActorCall) => Promise<Outcome>>(
    (inner, layer) => (call) => layer(call, () => inner(call)),
    core,
  )
}
