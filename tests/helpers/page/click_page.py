"""click_page.py PAGE: goes through a page of `ranktrace html` as a person would, and prints a line for each check. Status 77: there is no browser."""
import os, pathlib, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(__file__))
import browser
from read_page import Page

LANES = "document.getElementById('lanes').dataset"
PLOT = "document.getElementById('plot')"


class Clicks:
    def __init__(self, b, page):
        self.b, self.page = b, page

    def view(self):
        begin, end = self.b.value("[+%s.begin, +%s.end]" % (LANES, LANES))
        return begin, end

    def length(self):
        begin, end = self.view()
        return end - begin

    def middle(self, id):
        """Of an element, in view."""
        return self.b.value("(() => { const e = document.getElementById('%s'); e.scrollIntoView({ block: 'center', behavior: 'instant' }); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()" % id)

    def press(self, id):
        self.b.click(*self.middle(id))

    def plot(self):
        """Left, top of the plot's slices, and their width."""
        self.middle("lanes")
        x, y, width = self.b.value("(() => { const b = %s.getBoundingClientRect(); return [b.x, b.y, b.width]; })()" % PLOT)
        return x + 176, y, width - 176

    # ---- the checks, in the order of a visit ----

    def it_draws_itself(self):
        return self.b.value("document.documentElement.dataset.ready") == "yes" and self.length() > 0

    def keys_zoom_and_move(self):
        self.b.value(PLOT + ".focus()")
        before = self.view()
        self.b.key("w")
        near = self.view()
        self.b.key("d")
        right = self.view()
        self.b.key("ArrowLeft")
        left = self.view()
        self.b.key("0")
        length = lambda v: v[1] - v[0]
        whole = self.view()
        self.b.key("w")
        self.b.key("w")
        self.b.key("s")
        out = self.view()
        self.b.key("a")
        return (abs(length(near) / length(before) - 0.7) < 0.01 and right[0] > near[0] and left[0] < right[0] and whole == before
                and abs(length(out) / length(near) - 1) < 0.01 and self.view()[0] < out[0])

    def the_wheel_zooms_around_the_mouse(self):
        x, y, width = self.plot()
        before = self.view()
        at = lambda v: v[0] + (v[1] - v[0]) / 4
        self.b.mouse("mouseWheel", x + width / 4, y + 60, deltaX=0, deltaY=-200)
        self.b.until(LANES + ".begin !== '%d'" % before[0])
        return self.length() < before[1] - before[0] and abs(at(self.view()) - at(before)) < 0.01 * (before[1] - before[0])

    def a_drag_moves(self):
        x, y, width = self.plot()
        before = self.view()
        self.b.drag(x + width * 0.6, y + 60, x + width * 0.5, y + 60)
        now = self.view()
        return abs(now[0] - before[0] - 0.1 * (before[1] - before[0])) < 0.02 * (before[1] - before[0])

    def a_drag_with_shift_zooms_into_a_part(self):
        x, y, width = self.plot()
        before = self.length()
        self.b.drag(x + width * 0.25, y + 60, x + width * 0.75, y + 60, shift=True)
        now = self.length()
        self.b.key("0")
        return abs(now / before - 0.5) < 0.02

    def search_counts_and_finds(self):
        titles = self.page.titles()
        wanted = sum(count for title, (count, _) in titles.items() if "relu" in title)
        self.b.value(PLOT + ".focus()")
        self.b.key("/")
        for letter in "relu":
            self.b.key(letter)
        self.b.until("document.getElementById('found').textContent")
        told = self.b.value("document.getElementById('found').textContent")
        self.b.key("Enter")
        first = self.b.value("[%s.picked, +%s.begin, document.getElementById('slice').textContent]" % (LANES, LANES))
        self.b.key("Enter")
        second = self.view()[0]
        return wanted > 1 and told.startswith("%d slices, " % wanted) and first[0] == "relu" and "relu" in first[2] and second != first[1]

    def f_zooms_to_the_slice(self):
        self.b.value(PLOT + ".focus()")
        self.b.key("0")
        self.b.key("f")
        begin, end = self.view()
        lengths = [length for _, _, row in self.page.rows() for _, length, kind, *_ in self.page.level(row, 0) if self.page.timeline["titles"][self.page.timeline["kinds"][3 * kind]] == "relu"]
        return min(lengths) <= end - begin < 10 * max(lengths)

    def arrows_lead_to_the_call_and_back(self):
        went = []
        for _ in range(2):
            self.b.value("document.querySelector('#slice .link').click()")
            went.append((self.b.value(LANES + ".picked"), self.b.value("[...document.querySelectorAll('#slice dt')].at(-1).textContent")))
        return went == [("clEnqueueNDRangeKernel", "leads to"), ("relu", "comes from")]

    def keys_go_from_slice_to_slice(self):
        self.b.value(PLOT + ".focus()")
        self.b.key("Escape")
        went = []
        for key in ".j.,k":
            self.b.key(key)
            went.append(self.b.value("[%s.picked, document.querySelector('#slice dd').textContent.split(', ')[1]]" % LANES))
        return [place for _, place in went] == ["steps"] + 3 * ["thread 20"] + ["steps"] and went[1] == went[3] != went[2] and went[0][0].startswith("step ")

    def is_at(self, rank, step):
        """Is the chosen rank this one, and the step what is seen of the time line?"""
        found = next(r for r in self.page.json("steps")["ranks"] if r["rank"] == rank)
        _, begin, length, *_ = next(s for s in found["steps"] if s[0] == step)
        seen = self.view()
        return self.b.value("document.getElementById('rank').selectedOptions[0].textContent") == "rank %d" % rank and (
            seen[0] <= begin and begin + length <= seen[1] and seen[1] - seen[0] < 1.1 * length)

    def a_finding_leads_to_its_step(self):
        finding = self.page.json("why")["findings"][0]
        self.b.value("document.querySelector('#findings .link').click()")
        self.b.frame()
        return self.is_at(finding["rank"], finding["step"])

    def a_rank_has_its_curve_of_memory(self):
        told = self.b.value("[...document.querySelectorAll('#curves .curve')].map(c => [c.querySelector('b').textContent, c.querySelector('.quiet').textContent])")
        peak = self.page.json("report")["ranks"][0]["memory"]["peak_bytes"]
        return peak == 4096 and ["device memory", "at most 4.00 KiB"] in told or print(told)

    def figures_are_those_of_the_report(self):
        report = self.page.json("report")["ranks"][self.b.value("+document.getElementById('rank').value")]
        shown = self.b.value("[...document.querySelectorAll('[data-table=kernels] tbody tr')].map(tr => [...tr.cells].filter(td => td.dataset.value).map(td => +td.dataset.value))")
        return shown == [[v for v in k.values() if isinstance(v, (int, float))] for k in report["kernels"]] and len(shown) > 3

    def a_column_sorts(self):
        column = "document.querySelector('[data-table=kernels] th[data-name=count]')"
        cells = "[...document.querySelectorAll('[data-table=kernels] tbody tr')].map(tr => +tr.cells[[...%s.parentElement.cells].indexOf(%s)].dataset.value)" % (column, column)
        orders = []
        for _ in range(2):
            self.b.value(column + ".firstChild.click()")
            orders.append((self.b.value(column + ".getAttribute('aria-sort')"), self.b.value(cells)))
        return [o[0] for o in orders] == ["descending", "ascending"] and all(o[1] == sorted(o[1], reverse=o[0] == "descending") for o in orders)

    def a_filter_leaves_what_has_the_text(self):
        self.b.value("(() => { const f = document.getElementById('filter'); f.value = 'adam'; f.dispatchEvent(new Event('input')); })()")
        rows = self.b.value("[...document.querySelectorAll('[data-table=kernels] tbody tr')].map(tr => tr.cells[0].textContent)")
        self.b.value("(() => { const f = document.getElementById('filter'); f.value = ''; f.dispatchEvent(new Event('input')); })()")
        return rows == ["adam"]

    def another_rank_has_its_own_tables(self):
        for rank in "01":
            self.b.value("(() => { const r = document.getElementById('rank'); r.value = '%s'; r.dispatchEvent(new Event('change')); })()" % rank)
        same = self.figures_are_those_of_the_report()
        return same and self.b.value("document.getElementById('tables-of').textContent").startswith("rank 1")

    def a_cell_of_the_heat_map_chooses_rank_and_step(self):
        x, y = self.middle("heat")
        left, top = self.b.value("(() => { const b = document.getElementById('heat').getBoundingClientRect(); return [b.x, b.y]; })()")
        self.b.click(left + 62 + 5, top + 4 + 3)
        return self.b.value("document.getElementById('rank').value") == "0"

    def the_switch_turns_it_dark_and_light(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        before = self.b.value(ground)
        self.press("theme")
        dark = self.b.value("document.documentElement.dataset.theme"), self.b.value(ground)
        self.press("theme")
        return dark[0] == "dark" and dark[1] != before and self.b.value(ground) == before

    def nothing_that_a_name_said_was_done(self):
        return self.b.value("document.title").startswith("ranktrace: ") and self.b.value("document.querySelectorAll('script').length") == 7 and self.b.value("typeof hacked") == "undefined"

    def printed_it_shows_its_tables(self):
        self.b.value("window.dispatchEvent(new Event('beforeprint'))")
        self.b.ask("Emulation.setEmulatedMedia", media="print")
        shown = self.b.value("[document.querySelector('[data-table=kernels]').open, document.documentElement.dataset.theme, document.querySelector('nav').offsetHeight, document.querySelector('[data-table=kernels] tbody tr').offsetHeight > 5]")
        self.b.ask("Emulation.setEmulatedMedia", media="")
        self.b.value("window.dispatchEvent(new Event('afterprint'))")
        return shown == [True, "light", 0, True]

    def no_error_is_told_in_the_console(self):
        return not self.b.errors or print(self.b.errors[:3])


CHECKS = [name for name in vars(Clicks) if "_" in name and not name.startswith(("__", "is_"))]


def in_a_frame(b, path):
    """As a notebook shows it: scripts may run, and nothing else is allowed."""
    frame = pathlib.Path(path).resolve().with_suffix(".frame.html")
    frame.write_text('<!doctype html><iframe sandbox="allow-scripts" width="1000" height="700" src="%s"></iframe>' % os.path.basename(path))
    b.visit(frame.as_uri())
    for _ in range(50):
        b.frame()
        if any(b.value("document.documentElement.dataset.ready", context) == "yes" for context in list(b.contexts)):
            return True
    return False


def at_its_address(b, path, page):
    """Opened at a step of a rank, in dark."""
    b.visit(pathlib.Path(path).resolve().as_uri() + "#rank=1&step=4&theme=dark")
    b.until("document.documentElement.dataset.ready")
    b.frame()
    return Clicks(b, page).is_at(1, 4) and b.value("document.documentElement.dataset.theme") == "dark"


def visit(b, path):
    b.visit(pathlib.Path(path).resolve().as_uri())
    b.until("document.documentElement.dataset.ready")
    b.frame()
    clicks = Clicks(b, Page(path))
    results = [(name, bool(getattr(clicks, name)())) for name in CHECKS]
    results.append(("it_works_in_a_notebooks_frame", in_a_frame(b, path) and not b.errors))
    results.append(("its_address_opens_it_at_a_step", at_its_address(b, path, clicks.page) and not b.errors))
    return results


def main(path):
    if not browser.is_here():
        print("skip: no chromium here")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, browser.Browser(folder) as b:
        results = visit(b, path)
    for name, holds in results:
        print(("ok " if holds else "FAIL ") + name)
    return int(not all(holds for _, holds in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
