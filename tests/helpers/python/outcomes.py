"""outcomes.py PLAIN.xml TRACED.xml: had every test case the same outcome in both runs?

Reads the JUnit files that pytest and Python's regrtest write. A case is known by its name; its outcome
is passed, failed, error or skipped. Prints how many had which.
"""
import collections
import sys
import xml.etree.ElementTree as tree


def outcome(case):
    for word in ("failure", "error", "skipped"):
        if case.find(word) is not None:
            return word
    return "passed"


def outcomes(path):
    """{name: outcomes}, a list, for a name may come twice."""
    found = collections.defaultdict(list)
    for case in tree.parse(path).iter("testcase"):
        found[f"{case.get('classname', '')}.{case.get('name')}"].append(outcome(case))
    return {name: sorted(which) for name, which in found.items()}


def main():
    plain, traced = (outcomes(path) for path in sys.argv[1:3])
    different = [f"{name}: {plain.get(name)} became {traced.get(name)}"
                 for name in sorted(set(plain) | set(traced)) if plain.get(name) != traced.get(name)]
    counts = collections.Counter(word for which in plain.values() for word in which)
    print(f"{sum(counts.values())} cases: " + ", ".join(f"{n} {word}" for word, n in counts.most_common()))
    if not counts["passed"]:
        sys.exit("no case passed: this compares nothing")
    if different:
        sys.exit(f"{len(different)} differ: " + "; ".join(different[:5]))


main()
