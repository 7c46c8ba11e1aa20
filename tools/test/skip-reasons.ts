/**
 * A vitest reporter that puts the reason of a skip where the JSON report shows it; vitest itself leaves it out.
 *
 * @module
 */
import type { Reporter, TestCase } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    skipReason?: string
  }
}

// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default class SkipReasons implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result()
    if (result.state === 'skipped' && result.note !== undefined) test.meta().skipReason = result.note
  }
}
