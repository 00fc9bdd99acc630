/** Seed of random numbers: fixed, so that results are reproducible; `TUTTI_TEST_SEED` sets another one. */
export function testSeed(usual = 20_261_123): number {
  return Number(process.env['TUTTI_TEST_SEED'] ?? usual)
}
