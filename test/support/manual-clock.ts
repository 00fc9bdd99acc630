export * from '../../src/testing/manual-clock.ts'
