"""read_page.py - what a page of `ranktrace html` holds, read by nothing but its documented format (docs/html.md).

read_page.py PAGE RANKTRACE PATH...   compares it with report, why and export of the same paths; prints a line for each check
"""
import base64, collections, hashlib, html.parser, json, re, subprocess, sys


class Blocks(html.parser.HTMLParser):
    """{id: text} of its <script>s and <style>, as an HTML parser sees them; and each tag that there is."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.blocks, self.tags, self.open, self.policy = {}, collections.Counter(), None, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags[tag] += 1
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        self.outside = any(re.match(r"\s*(https?:|//)", attributes.get(name) or "") for name in ("src", "href")) or getattr(self, "outside", False)
        self.open = attributes.get("id", tag) if tag in ("script", "style") else None
        if self.open:
            self.blocks[self.open] = ""

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open:
            self.blocks[self.open] += data


class Numbers:
    """Of seven bits a byte, the lowest first."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def number(self):
        n = by = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            n |= (byte & 127) << by
            by += 7
            if byte < 128:
                return n

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def signed(self):
        n = self.number()
        return n >> 1 ^ -(n & 1)


def slices(data, offset, count):
    """(begin, length, kind, how many, share of 255 that was busy) of one level of a row"""
    numbers, at = Numbers(data, offset), 0
    for _ in range(count):
        begin = at + numbers.signed()
        length, kind = numbers.number(), numbers.number()
        many, busy = (numbers.number(), numbers.byte()) if kind & 1 else (1, 255)
        at = begin + length
        yield begin, length, kind >> 1, many, busy


class Page:
    def __init__(self, path):
        self.text = open(path, encoding="utf-8").read()
        self.html = Blocks(self.text)
        self.timeline = json.loads(self.html.blocks["data-timeline"])
        self.events = base64.b64decode(self.html.blocks["data-events"], validate=True)

    def json(self, name):
        return json.loads(self.html.blocks["data-" + name])

    def level(self, row, n):
        return slices(self.events, row[1 + 2 * n], row[2 + 2 * n])

    def rows(self):
        for process in self.timeline["processes"]:
            for lane in process["lanes"]:
                for row in lane["rows"]:
                    yield process, lane, row

    def titles(self, n=0):
        """{title: [slices, ns]} at a level, of rows that have it"""
        found = collections.defaultdict(lambda: [0, 0])
        for _, _, row in self.rows():
            for _, length, kind, many, busy in self.level(row, min(n, len(row) // 2 - 1)):
                title = self.timeline["titles"][self.timeline["kinds"][3 * kind]]
                found[title][0] += many
                found[title][1] += length
        return dict(found)

    def arrows(self):
        """{(row, row, begin, end)}"""
        for source, target, offset, count in self.timeline["arrows"]:
            numbers, at = Numbers(self.events, offset), 0
            for _ in range(count):
                at += numbers.signed()
                yield source, target, at, at + numbers.signed()


def said(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def exported(tool, paths):
    """Slices and arrows as the exporter for viewers has them: {title: [slices, ns]} and the number of arrows."""
    found, arrows = collections.defaultdict(lambda: [0, 0]), 0
    for record in json.loads(said(tool, "export", "--to", "chrome", *paths))["traceEvents"]:
        if record["ph"] in "Xi":
            found[record["name"]][0] += 1
            found[record["name"]][1] += round(1000 * record.get("dur", 0))
        arrows += record["ph"] == "f"
    return dict(found), arrows


def steps_of(report):
    keys = "step e2e_ns compute_ns communication_not_overlapped_ns copy_ns idle_ns".split()
    return [[rank["rank"], [[step[key] for key in keys] for step in rank["steps"]]] for rank in report["ranks"]]


def checks(page, tool, paths):
    report = json.loads(said(tool, "report", "--format", "json", *paths))
    matrix, (titles, arrows) = page.json("steps"), exported(tool, paths)
    blocks, policy = page.html.blocks, page.html.policy
    hashed = lambda name: "'sha256-%s'" % base64.b64encode(hashlib.sha256(blocks[name].encode()).digest()).decode()
    told = page.json("report")["ranks"]
    yield "its_report_is_that_of_report", page.json("report") == report or len(told) >= 100 and told == report["ranks"][:len(told)]
    yield "its_causes_are_those_of_why", page.json("why") == json.loads(said(tool, "why", "--format", "json", *paths))
    yield "its_sentences_are_those_of_why", page.json("sentences") == said(tool, "why", *paths)
    yield "its_steps_are_those_of_the_report", [[r["rank"], [[s[0]] + s[2:7] for s in r["steps"]]] for r in matrix["ranks"]] == steps_of(report)
    yield "steps_begin_when_the_report_says", [int(page.timeline["begin_ns"]) + s[1] for r in matrix["ranks"] for s in r["steps"]] == [s["begin_ns"] for r in report["ranks"] for s in r["steps"]]
    yield "its_slices_are_those_that_viewers_get", sorted(page.titles().values()) == sorted(titles.values())
    yield "and_so_are_its_arrows", len(list(page.arrows())) == arrows
    yield "of_each_level_all_slices_are_told", all(sum(many for _, _, _, many, _ in page.level(row, n)) == sum(many for _, _, _, many, _ in page.level(row, 0)) for _, _, row in page.rows() for n in range(len(row) // 2))
    yield "nothing_but_its_own_script_and_style_may_run", "default-src 'none'" in policy and hashed("style") in policy and hashed("script") in policy and "unsafe" not in policy
    yield "there_are_no_more_scripts_than_its_own", page.html.tags["script"] == 7 and page.html.tags["style"] == 1
    yield "nothing_is_loaded", not page.html.outside and not page.html.tags["img"] and not page.html.tags["iframe"]


if __name__ == "__main__":
    page = Page(sys.argv[1])
    results = list(checks(page, sys.argv[2], sys.argv[3:]))
    for name, holds in results:
        print(("ok " if holds else "FAIL ") + name)
    sys.exit(not all(holds for _, holds in results))
