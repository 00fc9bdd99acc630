import { errorInfo, type TuttiError } from '../../core/errors.ts'
import type { Outcome } from '../../core/result.ts'
import { mainTable, pythonSource, type FailedRun } from '../python/outcome.ts'
import type { PythonResult } from '../python/run.ts'

/** A run that succeeded, worded by `answer`. */
export function success(
  code: string,
  result: PythonResult,
  answer: string,
  plan: string,
  failed: readonly FailedRun[],
): Outcome {
  const { value, stdout, stderr, locals, images, truncated, elapsedMs } = result
  const table = mainTable(result)
  return {
    answer,
    ...(table === undefined ? {} : { tabular: table }),
    data: { code, plan, value, stdout, stderr, locals, images, truncated, elapsedMs, attempts: failed },
    sources: [pythonSource(code)],
  }
}

export function failure(failed: readonly FailedRun[], { error }: PythonResult): Outcome {
  const { code } = failed.at(-1)!
  const message = `The computation failed: ${error?.type}: ${error?.message}`
  return {
    status: 'failed',
    data: { code, attempts: failed },
    sources: [pythonSource(code)],
    error: { type: 'ToolError', message },
  }
}

/** The sandbox stopped the code. */
export function stopped(code: string, error: TuttiError): Outcome {
  return {
    status: 'failed',
    data: { code },
    sources: [pythonSource(code)],
    error: errorInfo(error),
  }
}
