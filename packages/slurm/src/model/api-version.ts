/** The REST versions we can read and write, oldest first. Slurm 24.11 serves the first, 26.05 all of them. */
export const apiVersions = ['v0.0.42', 'v0.0.43', 'v0.0.44', 'v0.0.45'] as const

/** One of the REST versions we can read and write. */
export type ApiVersion = (typeof apiVersions)[number]
