#!/usr/bin/python3
"""Fits a line by gradient descent with PyOpenCL: a few launches, copies and buffers a step.

/usr/bin/python3 pyopencl_train.py [STEPS]
"""
import sys

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void residual(global const float *x, global const float *y, global const float *w,
		     global float *r)
{
	int i = get_global_id(0);

	r[i] = w[0] * x[i] + w[1] - y[i];
}

/* One work item: the sums come out the same on every device. */
kernel void descend(global const float *x, global const float *r, global float *w,
		    global float *loss, float rate, int n)
{
	float dw = 0, db = 0, sum = 0;

	for (int i = 0; i < n; i++) {
		dw += 2 * r[i] * x[i] / n;
		db += 2 * r[i] / n;
		sum += r[i] * r[i] / n;
	}
	w[0] -= rate * dw;
	w[1] -= rate * db;
	loss[0] = sum;
}
"""
SAMPLES = 256


def first_device():
    for platform in cl.get_platforms():
        devices = platform.get_devices()
        if devices:
            return devices[0]
    sys.exit("no OpenCL device")


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    context = cl.Context([first_device()])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build(cache_dir=False)
    residual, descend = program.residual, program.descend

    x = np.linspace(-1, 1, SAMPLES, dtype=np.float32)
    y = np.float32(3) * x - np.float32(2)
    loss = np.zeros(1, np.float32)
    weights = np.zeros(2, np.float32)

    flags = cl.mem_flags.READ_WRITE
    buffers = x_buf, y_buf, w_buf, kept_buf, r_buf, loss_buf = [
        cl.Buffer(context, flags, size)
        for size in (x.nbytes, y.nbytes, weights.nbytes, weights.nbytes, x.nbytes, loss.nbytes)]
    cl.enqueue_copy(queue, x_buf, x)
    cl.enqueue_copy(queue, y_buf, y)
    cl.enqueue_copy(queue, w_buf, weights)

    losses = []
    for step in range(steps):
        residual(queue, (SAMPLES,), (64,), x_buf, y_buf, w_buf, r_buf)
        descend(queue, (1,), None, x_buf, r_buf, w_buf, loss_buf,
                np.float32(0.3), np.int32(SAMPLES))
        cl.enqueue_copy(queue, kept_buf, w_buf)
        cl.enqueue_copy(queue, loss, loss_buf)
        queue.finish()
        losses.append(float(loss[0]))
        print(f"step {step} loss {losses[-1].hex()} ({losses[-1]:.4f})", flush=True)

    cl.enqueue_copy(queue, weights, kept_buf)
    print("weights", *(float(w).hex() for w in weights))
    for buffer in buffers:
        buffer.release()
    if steps > 1 and not losses[-1] < losses[0]:
        sys.exit("the loss did not fall")


if __name__ == "__main__":
    main()
