"""two_ranks.py SCRIPT [ARGUMENT...]: two ranks of it on this host, as torchrun starts them, but without its import of torch."""
import os
import socket
import subprocess
import sys

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
ranks = [subprocess.Popen([sys.executable, "-u", *sys.argv[1:]],
                          env=dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", LOCAL_WORLD_SIZE="2", OMP_NUM_THREADS="1",
                                   MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)))
         for rank in (0, 1)]
sys.exit(max(abs(rank.wait()) for rank in ranks))
