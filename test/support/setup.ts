import { inject } from 'vitest'
import { useBuild } from '../../src/processes/program.ts'

useBuild(new URL('../../src/', import.meta.url), inject('dist'))
