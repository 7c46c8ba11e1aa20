/** What each command goes on with once our own Node is there. */
export const programs = Object.freeze({
  start: 'packages/local/src/commands/start.ts',
  stop: 'packages/local/src/commands/stop.ts',
  test: 'tools/test.ts',
})
