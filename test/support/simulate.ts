export * from '../../src/testing/simulate.ts'
