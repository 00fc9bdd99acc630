import { TuttiError } from '../domain/errors.ts'
import type { Backend, BackendLimits } from './backend.ts'
import { createLauncher } from './launch.ts'
import { findInstallation, type Installation, type Platform } from './platform.ts'
import { openSnapshot } from './snapshot.ts'
import type { SandboxOptions } from './types.ts'

const TOO_WEAK =
  'Python cannot be isolated fully on this machine: system calls are filtered on Linux (x64, arm64) with the ' +
  'package "koffi" alone. Set allowWeakIsolation to run it with the other walls.'

/** Python as WebAssembly in a locked Node process. */
export function pyodideBackend(
  { cacheDir, allowWeakIsolation }: SandboxOptions,
  platform: Platform,
  limits: BackendLimits,
): Backend {
  let found: Installation | undefined
  const installed = () => (found ??= findInstallation(platform))
  return {
    describe() {
      const seccomp = installed().config.kernel !== undefined
      return {
        backend: 'pyodide',
        level: seccomp ? 'strong' : 'weak',
        ownProcess: true,
        emptyEnvironment: true,
        permissionModel: true,
        namespaces: false,
        seccomp,
        nonRoot: platform.os !== 'win32',
        packages: [],
        ...(seccomp || allowWeakIsolation === true ? {} : { unavailable: TOO_WEAK }),
      }
    },
    async prepare() {
      const installation = installed()
      if (installation.config.kernel === undefined && allowWeakIsolation !== true) {
        throw new TuttiError('ConfigurationError', TOO_WEAK)
      }
      const launcher = createLauncher(installation, limits)
      const snapshot = await openSnapshot(launcher, cacheDir)
      return {
        launch: () => ({ process: launcher.launch('job', snapshot.descriptor) }),
        close: () => snapshot.close(),
      }
    },
  }
}
