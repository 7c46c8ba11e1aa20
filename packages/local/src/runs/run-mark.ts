/** In the environment of every process of a run, so that one which was started but not yet recorded is found too. */
export const RUN_MARK = 'SLURM_OPERATOR_RUN'
