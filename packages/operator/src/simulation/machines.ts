/** The one place where the simulated machines come in. */
export { createMachines, type SimulatedMachines } from '@slurm-operator/testkit'
