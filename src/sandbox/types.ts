import type { Table } from '../domain/table.ts'

export interface SandboxJob {
  /** Python 3. The value of a last expression, else of a variable `result`, is the value of the job. */
  readonly code: string
  /** JSON that the code finds in its variable `data`. */
  readonly data?: unknown
  /** Milliseconds of wall-clock time, from the moment the code is sent to the process. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface SandboxTable extends Table {
  /** The variable's name; `value` for the value of the job. */
  readonly name: string
}

export interface SandboxImage {
  readonly name: string
  readonly mime: string
  readonly base64: string
}

export interface PythonError {
  /** The Python class, such as `ZeroDivisionError`. */
  readonly type: string
  readonly message: string
  readonly traceback: string
}

/** The result of a job. All of it comes from the code itself. */
export interface SandboxResult {
  readonly ok: boolean
  readonly stdout: string
  readonly stderr: string
  readonly value?: unknown
  /** Variables that the code left, shortened. */
  readonly locals: Readonly<Record<string, unknown>>
  /** Lists of records and dicts of columns; the value first. */
  readonly tables: readonly SandboxTable[]
  /** Image files that the code wrote into its working folder. */
  readonly images: readonly SandboxImage[]
  readonly error?: PythonError
  /** Whether output, value or images were cut to the limits; variables and their tables are always shortened. */
  readonly truncated: boolean
  readonly elapsedMs: number
}

/** How the code is isolated from the machine. */
export interface SandboxDescription {
  /** `strong` with the system call filter; anything else needs the operator's consent. */
  readonly level: 'strong' | 'weak'
  /** Memory limit of the whole process; enforced by the kernel if `level` is `strong`. */
  readonly memoryMb: number
  /** Why no code can run on this machine as things are. */
  readonly unavailable?: string
}

export interface SandboxOptions {
  /** Folder that keeps the interpreter's start-up snapshot (31 MB) from one program to the next. Made when missing. */
  readonly cacheDir?: string
  /** Of the whole process; 512 when absent. */
  readonly memoryMb?: number
  /** For jobs that name none; 30 seconds when absent. */
  readonly timeoutMs?: number
  /** Run code even if the kernel cannot filter system calls. */
  readonly allowWeakIsolation?: boolean
}

export interface Sandbox {
  /**
   * Runs Python in its own process. An error of the code is part of the result.
   * @throws TuttiError `SandboxViolation` if the code did something forbidden, or took too much time, memory or output;
   * `ToolError` for data that is too large, or if the process ended on its own; `ConfigurationError` if this machine
   * cannot isolate it; the signal's reason when aborted
   */
  run(job: SandboxJob): Promise<SandboxResult>
  describe(): SandboxDescription
  /** Gets a process ready, so that the next job starts at once. */
  warm(): Promise<void>
  /** Ends all processes; running jobs fail. */
  close(): Promise<void>
}
