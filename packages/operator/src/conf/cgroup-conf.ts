import { setting, writeConf } from './write-conf.ts'

/** The cgroup.conf of clusters whose user brings none: containers have no systemd to ask for groups. */
export const cgroupConf: string = writeConf([
  { banner: '', settings: [setting('CgroupPlugin', 'cgroup/v2'), setting('IgnoreSystemd', 'yes')] },
])
  .value.split('\n')
  .slice(2)
  .join('\n')
