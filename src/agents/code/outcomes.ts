import { errorInfo, type TuttiError } from '../../core/errors.ts'
import type { Outcome } from '../../core/result.ts'
import { mainTable, pythonSource, type FailedRun } from '../python/outcome.ts'
import type { PythonResult } from '../python/run.ts'

/** The keys of SPEC R6, then what the sandbox tells besides. */
function dataOf(code: string, result: PythonResult, plan: string, failed: readonly FailedRun[]) {
  const { ok, stdout, stderr, value, images, truncated, elapsedMs, error } = result
  return {
    code,
    stdout,
    stderr: error === undefined ? stderr : [stderr, error.traceback].filter(Boolean).join('\n'),
    exit_code: ok ? 0 : 1,
    plan,
    value,
    images,
    truncated,
    elapsedMs,
    attempts: failed,
  }
}

/** Code that ran to its end, worded by `answer`. */
export function success(
  code: string,
  result: PythonResult,
  answer: string,
  plan: string,
  failed: readonly FailedRun[],
): Outcome {
  const table = mainTable(result)
  return {
    answer,
    ...(table === undefined ? {} : { tabular: table }),
    data: dataOf(code, result, plan, failed),
    sources: [pythonSource(code)],
  }
}

/** Code that ended with an error of its own. */
export function failure(result: PythonResult, plan: string, failed: readonly FailedRun[]): Outcome {
  const { code } = failed.at(-1)!
  const { error } = result
  return {
    status: 'failed',
    data: dataOf(code, result, plan, failed),
    sources: [pythonSource(code)],
    error: { type: 'ToolError', message: `The code failed: ${error?.type}: ${error?.message}` },
  }
}

/** The sandbox stopped the code, or a person did not let it run. Which code that was, dependants and people can see. */
export function notRun(code: string, error: TuttiError, failed: readonly FailedRun[]): Outcome {
  return { status: 'failed', partial: { code, attempts: failed }, error: errorInfo(error) }
}
