"""A Slurm of one node, for as long as a check needs it: slurmctld and slurmd from Debian's packages, on this machine alone."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

SETTINGS = """ClusterName=tamis
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={other}
AuthType=auth/none
CryptoType=crypto/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,defer
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def available():
    return all(shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") for name in ("slurmctld", "slurmd", "sbatch")) \
        and os.getuid() == 0


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Slurm:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        settings = self.folder / "slurm.conf"
        settings.write_text(SETTINGS.format(host=socket.gethostname().split(".")[0], folder=self.folder, port=free_port(), other=free_port()))
        self.environment = os.environ | {"SLURM_CONF": str(settings), "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.daemons = []

    def __enter__(self):
        for name in ("slurmctld", "slurmd"):
            self.daemons.append(subprocess.Popen([name, "-D"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(200):
            if "idle" in self.ask("sinfo", "--noheader", "--format=%T"):
                return self
            time.sleep(0.1)
        self.__exit__()
        log = "".join(path.read_text(errors="replace")[-1_500:] for path in self.folder.glob("*.log"))
        raise RuntimeError(f"Slurm does not start: {log}")

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def ask(self, *command, cwd=None, environment=None):
        done = subprocess.run(command, env=self.environment | (environment or {}), cwd=cwd, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else done.stdout + done.stderr

    def wait(self, seconds):
        """Until no job is left; false when it takes longer."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.ask("squeue", "--noheader").strip():
                return True
            time.sleep(0.2)
        return False
