"""Every level of a project proved and looked over, for builds: `levelsmith check`."""
