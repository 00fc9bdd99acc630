/** What is done around the work of an agent, whatever the strategy. */
export interface WorkerSettings {
  /** Whether a result is looked at again: not at all, by what a program can check, or by a model, too. */
  readonly reflection: 'off' | 'rules' | 'model'
  /** How often a result is sent back. */
  readonly rejections: number
  /** Whether it is told of the run's large values and the latest messages. */
  readonly context: boolean
  /** Whether it is given how tasks were done before, and that is learnt. */
  readonly skills: boolean
}
