"""numbers.py REPORT: what all processes of a report kept and dropped, and what their files say of descriptors."""
import json
import sys

processes = json.load(open(sys.argv[1]))["ranks"]
kept = sum(p["events"]["kept"] for p in processes)
dropped = sum(p["events"]["dropped"] for p in processes)
tables = sorted({p["facts"]["descriptors"] for p in processes})
print(f"{kept} events, {dropped} dropped, descriptors {' '.join(tables)}")
