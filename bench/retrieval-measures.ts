/** Ids of documents, best first. */
export type Ranking = readonly string[]

/** Grades of documents by query; 0 and absent mean not relevant. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * nDCG at 10 with linear gains, as `trec_eval -m ndcg_cut.10`, and recall at 20, both as means over the queries. Relevant
 * is what has a grade above 0.
 */
export function evaluate(
  rankings: ReadonlyMap<string, Ranking>,
  judgements: Judgements,
): { readonly ndcg10: number; readonly recall20: number } {
  const figures = [...rankings].map(([query, ranking]) => {
    const grades = judgements.get(query) ?? new Map<string, number>()
    return { ndcg: ndcg(ranking, grades, 10), recall: recall(ranking, grades, 20) }
  })
  return {
    ndcg10: mean(figures.map((figure) => figure.ndcg)),
    recall20: mean(figures.map((figure) => figure.recall)),
  }
}

function ndcg(ranking: Ranking, grades: ReadonlyMap<string, number>, depth: number): number {
  const ideal = [...grades.values()].sort((a, b) => b - a)
  const best = discounted(ideal.slice(0, depth))
  const found = ranking.slice(0, depth).map((id) => grades.get(id) ?? 0)
  return best === 0 ? 0 : discounted(found) / best
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((total, gain, index) => total + Math.max(0, gain) / Math.log2(index + 2), 0)
}

function recall(ranking: Ranking, grades: ReadonlyMap<string, number>, depth: number): number {
  const relevant = [...grades.values()].filter((grade) => grade > 0).length
  const found = ranking.slice(0, depth).filter((id) => (grades.get(id) ?? 0) > 0).length
  return relevant === 0 ? 0 : found / relevant
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length
}

/** The value below which a share of the others lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
