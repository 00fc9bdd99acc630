/** Middleware settings of an agent, for every strategy. */
export interface WorkerSettings {
  /** Review of results: none, by deterministic checks, or by a model as well. */
  readonly reflection: 'off' | 'rules' | 'model'
  /** How often a result is sent back. */
  readonly rejections: number
  /** Whether the agent receives the run's large values and the latest messages. */
  readonly context: boolean
  /** Whether the agent receives examples of earlier tasks, and whether new ones are learnt. */
  readonly skills: boolean
}
