import { isIpAddress, isInternalKind, specialKind } from './addresses.ts'
import { normalizeHost, isInternalName, portOf } from './check-url.ts'
import { createPolicy } from './policy.ts'

/**
 * Tells whether a URL leads to the operator's own network: by its address, its name, or because the operator lists the
 * host among the internal ones. No name server is asked: whoever runs one could answer anything.
 * @throws TuttiError `ConfigurationError` for a list that cannot be read
 */
export function internalHosts(allowHosts: readonly string[] = []): (url: URL) => boolean {
  const policy = createPolicy({ allowHosts })
  return (url) => {
    const host = normalizeHost(url)
    if (policy.isListed(host, portOf(url))) return true
    return isIpAddress(host) ? isInternalKind(specialKind(host) ?? '') : isInternalName(host)
  }
}
