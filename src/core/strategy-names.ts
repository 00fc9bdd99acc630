/** By themselves, since the help of the command line shows them, and should load no library for it. */
export const STRATEGY_NAMES = ['pipeline', 'graph', 'supervisor', 'review', 'auto'] as const
export type StrategyName = (typeof STRATEGY_NAMES)[number]
