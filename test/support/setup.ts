import fc from 'fast-check'
import { inject } from 'vitest'
import { useBuild } from '../../src/processes/program.ts'
import { testSeed } from './seed.ts'

useBuild(new URL('../../src/', import.meta.url), inject('dist'))

// What passes today passes tomorrow: properties are searched from one seed, unless another one is asked for.
fc.configureGlobal({ seed: testSeed() })
