"""ranked.py slurm|mpi|torch FOLDER [END]: a process of a job of several: its launcher's own library knows its rank. It makes 10 * rank + step calls in
each of three steps, or 10 * rank + 1 in as many as begin until there is a file END. Into a file of its own it says: rank, host, calls of each step."""
import ctypes
import os
import pathlib
import socket
import sys
import time


def of_slurm():
    return int(os.environ["SLURM_PROCID"])


def of_mpi():
    mpi = ctypes.CDLL("libmpi.so.40", ctypes.RTLD_GLOBAL)
    number = ctypes.c_int(-1)
    assert not mpi.MPI_Init(None, None)
    assert not mpi.MPI_Comm_rank(ctypes.byref(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")), ctypes.byref(number))
    assert not mpi.MPI_Finalize()
    return number.value


def of_torch():
    import torch.distributed as dist

    dist.init_process_group("gloo")
    dist.barrier()
    return dist.get_rank()


def steps(end):
    step = 1
    while step <= 3 if not end else not end.exists():
        yield step, 10 * rank + (1 if end else step)
        step += 1
        if end:
            time.sleep(0.005)  # what else a step does


launcher, folder = sys.argv[1], pathlib.Path(sys.argv[2])
rank = {"slurm": of_slurm, "mpi": of_mpi, "torch": of_torch}[launcher]()
library, step_begins = ctypes.CDLL(os.environ["LIBRARY_OF_TEST"]), ctypes.CDLL(None).ranktrace_step
made = []
for step, calls in steps(pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None):
    step_begins(ctypes.c_int64(step))
    for _ in range(calls):
        library.clFinish(None)
    made.append(calls)
with open(folder / f"{socket.gethostname()}.{os.getpid()}", "w") as said:
    print(rank, socket.gethostname(), *made[:3], file=said)
