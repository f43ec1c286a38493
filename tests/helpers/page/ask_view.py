"""ask_view.py RANKTRACE UI OUTSIDE PATH...: asks `ranktrace view` what a browser may ask, and what nobody should get. A line for each check.

UI has index.html and link, which leads to OUTSIDE.
"""
import http.client, os, re, signal, socket, subprocess, sys, threading

tool, ui, outside, *paths = sys.argv[1:]


def said(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class View:
    def __init__(self, *options):
        self.process = subprocess.Popen([tool, "view", *options, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        self.port, self.base = re.search(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)", self.lines[0]).groups()

    def ask(self, path, method="GET", host=None):
        """status, headers, body; the path as it is"""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if host != "":
            connection.putheader("Host", host or "127.0.0.1:" + self.port)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def status(self, *words, **more):
        return self.ask(*words, **more)[0]

    def raw(self, text):
        """the status line"""
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=60) as s:
            s.sendall(text)
            s.shutdown(socket.SHUT_WR)
            return s.makefile("rb").readline().decode()

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        rest = self.process.communicate(timeout=60)
        return self.process.returncode, *rest


def checks(v):
    page, trace = v.base, v.base + "trace.perfetto-trace"
    yield "the_page_is_that_of_html", v.ask(page)[2] == said(tool, "html", *paths)
    yield "the_trace_is_that_of_export", v.ask(trace)[2] == said(tool, "export", "--to", "perfetto", *paths)
    yield "head_tells_the_size_alone", v.ask(page, "HEAD")[1]["Content-Length"] == str(len(v.ask(page)[2])) and v.ask(page, "HEAD")[2] == b""
    yield "pages_of_the_perfetto_ui_alone_may_read_the_trace", (v.ask(trace)[1]["Access-Control-Allow-Origin"], v.ask(page)[1]["Access-Control-Allow-Origin"]) == ("https://ui.perfetto.dev", None)
    wrong = "/" + "0" * 32 + "/"
    yield "without_the_token_there_is_nothing", [v.status(p) for p in ("/", "/trace.perfetto-trace", wrong, wrong + "ui/", page[:-1], page[:-2] + "/", page + "x")] == [404] * 7
    yield "another_name_of_this_machine_is_refused", [v.status(page, host=h) for h in ("evil.example", "evil.example:" + v.port, "127.0.0.1.evil.example", "localhost.evil.example:80", "127.0.0.1:80x", "")] == [403] * 6
    yield "its_own_names_are_not", [v.status(page, host=h) for h in ("localhost:" + v.port, "127.0.0.1:9999", "localhost")] == [200] * 3
    yield "two_hosts_are_refused", "403" in v.raw(b"GET %s HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n" % page.encode())
    yield "nothing_can_be_sent_there", [v.status(page, m) for m in ("POST", "PUT", "DELETE", "OPTIONS")] == [405] * 4
    yield "what_is_no_request_is_refused", all(" 400 " in v.raw(t) for t in (b"hello\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 9000))
    yield "of_half_a_request_nothing_comes", [v.raw(t) for t in (b"GET / HTTP/1.1\r\nHost: loc", b"\0\r\n\r\n", b"")] == [""] * 3
    files = v.base + "ui/"
    yield "a_folder_with_the_perfetto_ui_is_served", (v.ask(files)[2], v.ask(files + "index.html")[1]["Content-Type"]) == (b"the ui\n", "text/html; charset=utf-8")
    up = [files + p for p in ("../" + os.path.basename(outside), "a/../../" + os.path.basename(outside), "%2e%2e/" + os.path.basename(outside), "..%2f", "/etc/passwd", "link", ".hidden", "", "none")]
    yield "nothing_outside_of_it_is", [v.status(p) for p in up] == [404] * 7 + [200, 404]
    busy = [socket.create_connection(("127.0.0.1", int(v.port)), timeout=60) for _ in range(70)]
    for s in busy[6:]:
        s.send(b"G")
    yield "who_takes_all_places_and_asks_for_nothing_keeps_nobody_waiting", v.status(page) == 200
    yield "but_makes_way_the_oldest_first", [s.recv(1) for s in busy[:7]] == [b""] * 7
    for s in busy:
        s.close()
    found = []
    threads = [threading.Thread(target=lambda: found.append(v.status(page))) for _ in range(12)]
    [t.start() for t in threads], [t.join() for t in threads]
    yield "several_may_ask_at_once", found == [200] * 12
    yield "it_tells_how_to_reach_it_through_ssh", any("ssh -N -L %s:127.0.0.1:%s " % (v.port, v.port) in line for line in v.lines)


def ends(ui):
    """Of two at once the second takes another port, and both end well."""
    first, second = View(), View()
    yield "a_taken_port_is_no_trouble", first.port != second.port and second.ask(second.base)[0] == 200 and first.base != second.base
    taken = subprocess.run([tool, "view", "--port", first.port, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield "unless_it_was_asked_for", (taken.returncode, taken.stderr) == (1, "ranktrace: port %s of 127.0.0.1: Address already in use: name another with --port\n" % first.port)
    yield "it_ends_by_ctrl_c_and_by_sigterm", (first.end(), second.end(signal.SIGTERM)) == ((0, "", ""), (0, "", ""))


v = View("--perfetto-ui", ui)
results = list(checks(v)) + [("it_says_nothing_more", v.end() == (0, "", ""))] + list(ends(ui))
for name, holds in results:
    print(("ok " if holds else "FAIL ") + name)
sys.exit(not all(holds for _, holds in results))
