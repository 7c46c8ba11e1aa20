/**
 * A number with its noun, for texts that people read: `counted(1, 'worker')`, or with a verb
 * `counted(2, 'worker is ready', 'workers are ready')`.
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
