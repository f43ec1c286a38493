# slurm.sh - Slurm with both hosts as its nodes: `. tests/helpers/launchers/slurm.sh` behind hosts.sh. No file outside $tmp.
# shellcheck shell=sh disable=SC2154

# started N NAME COMMAND...: a daemon that stays in the foreground, and ends with its host
started() {
	host=$1 name=$2
	shift 2
	on "$host" "$@" >"$tmp/$name.out" 2>&1 &
}

configuration() {
	cat <<-EOF
		ClusterName=test
		SlurmctldHost=node0(10.99.0.1)
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$tmp/slurm/munge
		CryptoType=crypto/munge
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		SlurmdParameters=config_overrides
		SwitchType=switch/none
		MpiDefault=none
		ReturnToService=2
		StateSaveLocation=$tmp/slurm/state
		SlurmdSpoolDir=$tmp/slurm/spool.%n
		SlurmctldPidFile=$tmp/slurm/slurmctld.pid
		SlurmdPidFile=$tmp/slurm/slurmd.%n.pid
		SlurmctldLogFile=$tmp/slurm/slurmctld.log
		SlurmdLogFile=$tmp/slurm/slurmd.%n.log
		SelectType=select/linear
		NodeName=node0 NodeAddr=10.99.0.1 CPUs=4 RealMemory=500
		NodeName=node1 NodeAddr=10.99.0.2 CPUs=4 RealMemory=500
		PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE
	EOF
}

begin_slurm() {
	mkdir -p "$tmp/slurm/state" "$tmp/slurm/spool.node0" "$tmp/slurm/spool.node1"
	configuration >"$tmp/slurm/slurm.conf"
	export SLURM_CONF="$tmp/slurm/slurm.conf"
	dd if=/dev/urandom of="$tmp/slurm/key" bs=1024 count=1 2>/dev/null
	chmod 700 "$tmp/slurm"
	chmod 600 "$tmp/slurm/key"
	started 0 munged munged --foreground --force --socket="$tmp/slurm/munge" --key-file="$tmp/slurm/key" --pid-file="$tmp/slurm/munged.pid" \
		--log-file="$tmp/slurm/munged.log" --seed-file="$tmp/slurm/seed"
	started 0 slurmctld slurmctld -D
	started 0 slurmd0 slurmd -D -N node0
	started 1 slurmd1 slurmd -D -N node1
	for _ in $(seq 100); do
		[ "$(on 0 sinfo -h -t idle -o %D 2>"$tmp/sinfo.err")" = 2 ] && return 0
		sleep 0.2 # asks until it is there
	done
	return 1
}
