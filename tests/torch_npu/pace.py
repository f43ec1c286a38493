"""pace.py BLOCKS: what BLOCKS times 20 training steps of a small model take, in microseconds of a CPU a step: of all threads,
ours included. (Wall time says little on a machine that does other things, too.)

pace.py ratio BARE... TRACED...: of what such runs printed, as many without us as with us, how much more a step takes with us.
"""
import statistics
import sys
import time

STEPS, WARM = 20, 4


def work():
    import torch
    import torch_npu  # noqa: F401

    torch.npu.set_device(0)
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).npu()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    points, classes = torch.randn(8, 8).npu(), torch.randint(0, 4, (8,)).npu()
    for _ in range(int(sys.argv[1])):
        begin = time.process_time()
        for _ in range(STEPS):
            loss = torch.nn.functional.cross_entropy(net(points), classes)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        torch.npu.synchronize()
        print((time.process_time() - begin) / STEPS * 1e6)


def typical(paths):
    """The lower quartile of the blocks: what disturbs a run makes it slower, never faster."""
    return statistics.quantiles(t for path in paths for t in list(map(float, open(path)))[WARM:])[0]


if sys.argv[1:2] == ["ratio"]:
    half = len(sys.argv) // 2 + 1
    print("%.2f" % (typical(sys.argv[half:]) / typical(sys.argv[2:half])))
else:
    work()
