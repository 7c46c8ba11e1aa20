import { defineConfig } from 'vitest/config'
import { levels } from './tools/levels.ts'

export default defineConfig({
  test: {
    projects: levels.map((level) => ({
      test: {
        name: level.name,
        include: [...level.include],
        exclude: [...level.exclude, '**/node_modules/**'],
        setupFiles: ['tools/test/same-chance.ts'],
        testTimeout: level.testTimeoutMs,
        hookTimeout: level.hookTimeoutMs,
        // Never threads: what a test starts is tied to the life of the thread that started it, and must outlive none.
        pool: 'forks' as const,
        ...(level.nodeOptions !== undefined && { execArgv: [...level.nodeOptions] }),
        ...(level.filesAtOnce !== undefined && { maxWorkers: level.filesAtOnce }),
        ...(level.filesAtOnce === 1 && { fileParallelism: false }),
      },
    })),
  },
})
