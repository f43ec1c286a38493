def forward_step(forward_step_func):
    return forward_step_func()
