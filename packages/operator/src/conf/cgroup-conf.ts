/** The cgroup.conf of clusters whose user brings none: containers have no systemd to ask for groups. */
export const cgroupConf = 'CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n'
