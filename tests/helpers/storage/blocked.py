"""blocked.py pipe|terminal|socket NAME=VALUE COMMAND...: runs it with a standard error that takes nothing, and says how it ended."""
import fcntl, os, pty, socket, subprocess, sys, termios

def full(write, fd):
    os.set_blocking(fd, False)
    try:
        while True:
            write(fd, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(fd, True)
    return fd

def pipe():
    return os.pipe()[1]

def terminal():
    master, slave = pty.openpty()
    termios.tcflow(slave, termios.TCOOFF)  # as Ctrl-S does
    return slave

def sockets():
    keep.extend(socket.socketpair())
    return keep[-1].fileno()

keep = []
kind, (name, _, value), command = sys.argv[1], sys.argv[2].partition("="), sys.argv[3:]
error = {"pipe": pipe, "terminal": terminal, "socket": sockets}[kind]()
if kind != "terminal":
    full(os.write, error)
try:
    done = subprocess.run(command, env=dict(os.environ, **{name: value}), stderr=error, stdout=subprocess.PIPE, timeout=60, text=True)
    print(f"status {done.returncode}, {done.stdout.strip()}")
except subprocess.TimeoutExpired:
    print("hangs")
