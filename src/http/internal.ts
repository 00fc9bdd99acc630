import { isIpAddress, isInternalKind, specialKind } from './addresses.ts'
import { normalizeHost, isInternalName, portOf } from './check-url.ts'
import { createPolicy } from './policy.ts'

/**
 * Returns whether a URL is in the operator's own network: by its address, by its name, or because the allow-list
 * contains the host. Uses no DNS, whose answers are not trusted.
 * @throws TuttiError `ConfigurationError` if the list is not valid
 */
export function internalHosts(allowHosts: readonly string[] = []): (url: URL) => boolean {
  const policy = createPolicy({ allowHosts })
  return (url) => {
    const host = normalizeHost(url)
    if (policy.isListed(host, portOf(url))) return true
    return isIpAddress(host) ? isInternalKind(specialKind(host) ?? '') : isInternalName(host)
  }
}
