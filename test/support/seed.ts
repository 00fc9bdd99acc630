/** What random numbers begin from: the same one every time, so that what passes today passes tomorrow; `TUTTI_TEST_SEED` asks for another. */
export function testSeed(usual = 20_261_123): number {
  return Number(process.env['TUTTI_TEST_SEED'] ?? usual)
}
