// Puts the memory of a Python that has started into a build, so that nobody's first one takes long:
//   tsx scripts/python-snapshot.ts NEW-BUILD OLD-BUILD
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLauncher } from '../src/sandbox/launch.ts'
import { LIMITS } from '../src/sandbox/limits.ts'
import { currentPlatform, findInstallation } from '../src/sandbox/platform.ts'
import { packedSnapshot, snapshotName } from '../src/sandbox/snapshot.ts'

const [made, old] = process.argv.slice(2)
const file = join('sandbox', `${snapshotName()}.gz`)
try {
  await copyFile(join(old!, file), join(made!, file))
} catch {
  // There is no such build, or it was for another Pyodide.
  const limits = { memoryMb: 512, outputBytes: LIMITS.outputBytes }
  await writeFile(join(made!, file), await packedSnapshot(createLauncher(findInstallation(currentPlatform()), limits)))
}
