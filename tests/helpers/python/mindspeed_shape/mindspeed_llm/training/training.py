import device
from megatron.training import global_vars
from megatron.training.training import train_step


def train(iteration, until):
    global_vars.set_args()
    args = global_vars.get_args()
    while iteration < until:
        args.curr_iteration = iteration
        train_step(lambda: device.call(3), None, None, None, None, None)
        iteration += 1
