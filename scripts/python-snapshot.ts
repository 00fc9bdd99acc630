// Puts the memory of a Python that has started into a build, so that nobody's first one takes long:
//   tsx scripts/python-snapshot.ts FOLDER
import { existsSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLauncher } from '../src/sandbox/launch.ts'
import { LIMITS } from '../src/sandbox/limits.ts'
import { currentPlatform } from '../src/sandbox/platform.ts'
import { findInstallation } from '../src/sandbox/pyodide-installation.ts'
import { packedSnapshot, snapshotName } from '../src/sandbox/snapshot.ts'

const file = join('sandbox', `${snapshotName()}.gz`)
const made = join(process.argv[2]!, file)
// An earlier build has it, unless it was for another Pyodide.
const earlier = join(import.meta.dirname, '..', 'dist', file)
if (existsSync(earlier)) {
  await copyFile(earlier, made)
} else {
  const limits = { memoryMb: 512, outputBytes: LIMITS.outputBytes }
  await writeFile(made, await packedSnapshot(createLauncher(findInstallation(currentPlatform()), limits)))
}
