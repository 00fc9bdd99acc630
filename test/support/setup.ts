import fc from 'fast-check'
import { inject } from 'vitest'
import { useBuild } from '../../src/processes/program.ts'
import { testSeed } from './seed.ts'

useBuild(new URL('../../src/', import.meta.url), inject('dist'))

// Properties use a fixed seed, so that results are reproducible, unless another one is set.
fc.configureGlobal({ seed: testSeed() })
