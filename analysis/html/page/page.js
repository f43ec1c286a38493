/* page.js - puts the page together. */
function runTitle() {
	const first = report.ranks[0];
	const name = first ? first.command || "a run on " + first.host : steps.ranks.length ? "a run on " + steps.ranks[0].host : "nothing was recorded";
	get("title").textContent = plain(name, 300);
	document.title = "ranktrace: " + plain(name, 60);
	const sum = name => report.ranks.reduce((all, r) => all + (r.events?.[name] ?? 0), 0);
	const begun = first?.run_started_ns ? new Date(Number(first.run_started_ns) / 1e6).toISOString().replace("T", " ").slice(0, 19) + " UTC" : "";
	const whole = report.ranks.length === steps.ranks.length;
	get("subtitle").textContent = [begun, plural(steps.ranks.length, "process").replace("processs", "processes"), plain(steps.ranks[0]?.host ?? ""),
		whole ? number(sum("kept")) + " of " + number(sum("called")) + " calls kept" : "", plural(timeline.slices, "slice")].filter(text => text).join(" · ");
}

/* What is not all there. */
function noticeTexts() {
	const list = [];
	for (const r of report.ranks)
		if (r.lost?.anything || r.events?.dropped)
			list.push(rankTitle({ rank: r.rank, pid: r.pid, group: r.worker_group }) + ": something is missing (" + number(r.events.dropped) + " calls dropped); see Losses among its tables.");
	if (timeline.resolution_ns)
		list.push("Of " + number(timeline.slices) + " slices " + number(timeline.held) + " are drawn by themselves: those shorter than " + duration(timeline.resolution_ns) + " that stand next to each other are one here. Name --steps or --ranks to see them all.");
	if (timeline.processes_left_out)
		list.push("The time line is of the first " + number(processes.length) + " of " + number(processes.length + timeline.processes_left_out) + " processes and devices: name others with --ranks.");
	if (timeline.arrows_left_out)
		list.push(number(timeline.arrows_left_out) + " arrows from calls to work of the device are left out.");
	if (timeline.without_title || timeline.without_arguments)
		list.push(number(timeline.without_title + timeline.without_arguments) + " slices have no name or arguments here: there are too many different ones.");
	if (steps.left_out)
		list.push(number(steps.left_out) + " steps are left out, of each rank those behind its first " + number(Math.max(...steps.ranks.map(r => r.steps.length))) + ": name others with --steps.");
	if (why.left_out)
		list.push("There is no room for why steps were slow: ranktrace why says it.");
	if (!report.ranks.length && steps.ranks.length)
		list.push("There is no room for tables: ranktrace report has them.");
	else if (report.ranks.length < steps.ranks.length)
		list.push("Tables are of the first " + number(report.ranks.length) + " of " + number(steps.ranks.length) + " processes; steps are of all.");
	return list;
}

function showNotices() {
	const list = noticeTexts();
	const shown = list.length > 6 ? [...list.slice(0, 5), "and " + (list.length - 5) + " more"] : list;
	get("notices").append(...shown.map(text => element("li", { textContent: plain(text, 600) })));
	get("notices").hidden = !list.length;
}

function startRank() {
	get("rank").append(...steps.ranks.map((r, i) => element("option", { value: String(i), textContent: plain(rankTitle(r), 60) })));
	get("rank").addEventListener("change", () => choose({ rank: Number(get("rank").value) }));
	get("rank").parentElement.hidden = steps.ranks.length < 2;
	chosen.told.push(() => { get("rank").value = String(chosen.rank); });
}

/* #rank=3&step=5&theme=dark: what to show first. */
function askedFor() {
	const words = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
	const finding = why.findings[0], named = words.get("rank") ?? finding?.rank;
	const rank = Math.max(0, steps.ranks.findIndex(r => String(r.rank) === String(named)));
	const first = steps.ranks[rank]?.steps[0]?.[0] ?? null;
	return { rank, step: words.has("step") ? Number(words.get("step")) : finding?.step ?? first, theme: ["light", "dark"].find(theme => theme === words.get("theme")), zoomed: words.has("step") };
}

function start() {
	const wanted = askedFor();
	choose({ rank: wanted.rank, step: wanted.step });
	runTitle();
	showNotices();
	startRank();
	startWhy();
	startSteps();
	startHeat();
	startTimeline();
	startSearch();
	startMemory();
	startTables();
	choose({});
	startTheme(wanted.theme);
	if (wanted.zoomed)
		showStep(wanted.rank, wanted.step, false);
	new ResizeObserver(() => requestAnimationFrame(redraw)).observe(document.querySelector("main"));
	document.documentElement.dataset.ready = "yes";
}

start();
