import { TuttiError } from '../domain/errors.ts'
import type { Models } from '../models/registry.ts'

/** @throws TuttiError with this code if a request names a model whose provider is not configured */
export function assertProviders(
  models: Pick<Models, 'describe'>,
  named: Readonly<Record<string, string>>,
  code: 'ConfigurationError' | 'InvalidRequest',
): void {
  const known = models.describe().providers.map(({ name }) => name)
  for (const text of Object.values(named)) {
    const provider = text.split(':', 1)[0]!.trim()
    if (known.includes(provider)) continue
    const hint = known.length === 0 ? 'No provider is; set its API key or URL.' : `Configured: ${known.join(', ')}.`
    throw new TuttiError(code, `The model provider "${provider}" is not configured. ${hint}`)
  }
}
