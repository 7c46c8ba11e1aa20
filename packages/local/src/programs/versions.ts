/**
 * Versions that the code must know. What Go builds is pinned, with checksums, in `go/*`; a test compares the two. What
 * Debian delivers is the present state of one suite, because a mirror keeps no older one: the exact versions are written
 * into each root, in the file `package-versions`.
 *
 * @module
 */
export const KUBERNETES_VERSION = '1.36.3'
export const LOCAL_PATH_PROVISIONER_VERSION = '0.0.30'
export const HELM_VERSION = '4.3.1'

/** Slurm 26.05, containerd 2, etcd 3.5 and runc 1.3 come from this suite; its programs run on Debian 12 as well. */
export const DEBIAN_SUITE = 'forky'

/** The Slurm release that the suite holds; images carry it as their tag. */
export const SLURM_RELEASE = '26.05'

/** Slurm 24.11, the oldest that we work with, comes from this suite. */
export const OLD_SLURM_SUITE = 'trixie'

/** The releases of Slurm that can be had. */
export type SlurmRelease = '24.11' | typeof SLURM_RELEASE

/** The Go release that can build the above, if the machine has none that is new enough. */
export const GO_MINOR = 26
