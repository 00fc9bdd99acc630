/** Properties of the machine that isolation depends on. */
export interface Platform {
  readonly os: NodeJS.Platform
  readonly arch: string
  readonly isRoot: boolean
}

export function currentPlatform(): Platform {
  return { os: process.platform, arch: process.arch, isRoot: process.getuid?.() === 0 }
}
