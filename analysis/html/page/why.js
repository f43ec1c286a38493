/* why.js - the sentences of `ranktrace why`: each finding with its causes, the longest first. */
function findingTitle(f) {
	const who = f.rank === null ? "" : " of rank " + f.rank;
	if (f.lacks)
		return "Step " + f.step + who + " " + f.lacks + ": it is compared with none";
	if (f.excess_ns === null)
		return "Step " + f.step + who + ": there is no other whole step to compare it with";
	const less = f.excess_ns < 0 ? "less" : "more";
	const waited = f.ranks_waiting ? "; " + plural(f.ranks_waiting, "rank") + " waited for it" : "";
	return "Step " + f.step + who + " took " + duration(Math.abs(f.excess_ns)) + " " + less + " than " + f.reference + waited;
}

function causeItem(cause, all) {
	const share = all ? clamp(100 * cause.ns / all, 0, 100) : 0;
	const bar = element("span");
	bar.style.width = share + "%";
	const text = element("span", { className: "text" }, plain(cause.text, 4000) + (cause.kind === "unexplained" ? "" : " (" + cause.confidence + ")"));
	if (cause.evidence)
		text.append(element("br"), element("code", { textContent: plain(cause.evidence, 4000) }));
	return element("li", {}, element("span", { className: "amount", textContent: duration(cause.ns) }),
		element("span", { className: "share", title: share.toFixed(1) + " %" }, bar), text);
}

function findingBlock(f) {
	const go = element("button", { type: "button", className: "link", textContent: "show in the time line" });
	go.addEventListener("click", () => {
		const rank = steps.ranks.findIndex(r => r.rank === f.rank);
		choose({ rank: Math.max(0, rank), step: f.step });
		showStep(chosen.rank, f.step);
	});
	const list = f.causes.filter((cause, i) => i < 5 && (f.causes.length === 1 || Math.abs(cause.ns) >= Math.abs(f.excess_ns) / 100));
	return element("div", { className: "finding" }, element("p", {}, findingTitle(f) + " ", go), element("ol", {}, ...list.map(cause => causeItem(cause, f.excess_ns))));
}

function startWhy() {
	const found = why.findings.map(findingBlock);
	const next = why.findings.find(f => f.record_next);
	get("findings").append(...found);
	if (!found.length) {
		get("findings").append(element("p", { className: "quiet", textContent: plain(sentences, 4000) || "There is no step." }));
		return;
	}
	if (next)
		get("findings").append(element("p", { className: "quiet" }, "To know more, record with ", element("code", { textContent: next.record_next })));
	get("findings").append(element("details", {}, element("summary", { className: "quiet", textContent: "as ranktrace why says it" }), element("pre", { textContent: sentences })));
}
