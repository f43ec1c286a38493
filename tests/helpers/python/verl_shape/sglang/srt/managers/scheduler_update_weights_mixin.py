from device import call


class SchedulerUpdateWeightsMixin:
    def update_weights_from_tensor(self, recv_req):
        call(1)

    def resume_memory_occupation(self, recv_req):
        call(1)
