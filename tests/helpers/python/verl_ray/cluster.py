"""cluster.py: a Ray cluster of two nodes on this host, as somebody started it before. Prints its address, and ends with its input."""
import sys

from ray.cluster_utils import Cluster

SIZE = 100 << 20
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False, "object_store_memory": SIZE})
cluster.add_node(num_cpus=2, object_store_memory=SIZE)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
