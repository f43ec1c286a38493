/* timeline.js - moving about in the time line: by mouse, by keys, and to what other parts of the page name. */
let asked = 0;

function drawSoon() {
	asked ||= requestAnimationFrame(() => {
		asked = 0;
		drawTimeline();
	});
}

function setView(begin, end) {
	const all = Math.max(1, timeline.length_ns), length = clamp(end - begin, 20, all * 1.04);
	view.begin = clamp(begin + (end - begin - length) / 2, -all * 0.02, all * 1.02 - length);
	view.end = view.begin + length;
	drawSoon();
}

const viewAll = () => setView(-timeline.length_ns * 0.01, timeline.length_ns * 1.01);

/* by: how much longer what is shown gets; around: a time that stays where it is. */
function zoom(by, around = (view.begin + view.end) / 2) {
	setView(around - (around - view.begin) * by, around + (view.end - around) * by);
}

function pan(share) {
	const by = (view.end - view.begin) * share;
	setView(view.begin + by, view.end + by);
}

/* ---- what is picked ---- */

function sliceRows(slice) {
	const { slices, i, row } = slice, kind = slices.kind[i];
	const list = [["in", row.process.title + ", " + row.lane.title], ["begin", duration(slices.begin[i]) + " after the first event"], ["duration", duration(slices.end[i] - slices.begin[i])]];
	const step = stepAround(row, slices.begin[i]);
	if (step !== null)
		list.push(["step", String(step)]);
	if (slices.many[i] > 1)
		list.push(["slices", number(slices.many[i]) + ", busy for " + duration(Math.round((slices.end[i] - slices.begin[i]) * slices.busy[i])) + "; this is the longest one's name"]);
	else
		for (const line of argumentsOf(kind).split("\n").filter(text => text))
			list.push([line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]);
	return list;
}

function stepAround(row, time) {
	const rank = steps.ranks.find(r => r.rank === row.process.rank && r.pid === row.process.pid);
	const step = rank?.steps.find(s => valueOf(s, "begin_ns") <= time && time < valueOf(s, "begin_ns") + lengthOf(s));
	return step ? step[0] : null;
}

/* The slice at the other end of an arrow; names of what a call led to, and of where work came from. */
function otherEnd(slice, { group, i }) {
	const here = group.from === slice.row.number && (group.begin[i] === slice.slices.begin[slice.i] || group.begin[i] === slice.slices.end[slice.i]);
	const row = rows[here ? group.to : group.from], time = here ? group.end[i] : group.begin[i], slices = row.level(0);
	const at = firstWhere(slices.count, k => slices.end[k] >= time);
	return at < slices.count && slices.begin[at] <= time ? { word: here ? "leads to" : "comes from", row, slices, i: at } : null;
}

function arrowLinks(slice) {
	return arrowsOf(slice).slice(0, 8).map(arrow => otherEnd(slice, arrow)).filter(end => end).map(end => {
		const link = element("button", { type: "button", className: "link", textContent: plain(titleOf(end.slices.kind[end.i]), 200) });
		link.addEventListener("click", () => showSlice({ row: end.row, slices: end.slices, i: end.i }, 0));
		return [end.word, link];
	});
}

function pick(slice) {
	view.picked = slice;
	get("lanes").dataset.picked = slice ? titleOf(slice.slices.kind[slice.i]).slice(0, 200) : "";
	const out = get("slice");
	out.replaceChildren();
	if (slice) {
		const list = element("dl");
		for (const [name, value] of sliceRows(slice))
			list.append(element("dt", { textContent: plain(name) }), element("dd", { textContent: plain(value, 1000) }));
		for (const [word, link] of arrowLinks(slice))
			list.append(element("dt", { textContent: word }), element("dd", {}, link));
		out.append(element("strong", { textContent: plain(titleOf(slice.slices.kind[slice.i]), 1000) }), list);
	}
	drawSoon();
}

/* With its devices, or the host's side of it. */
function unfold({ rank, pid }) {
	for (const process of processes)
		process.folded &&= process.rank !== rank || process.pid !== pid;
	placeLanes();
}

/* Where it can be seen: its process unfolded, its row and its time in view. */
function showSlice(slice, padding = 4) {
	const { slices, i, row } = slice;
	if (layout.only && (row.process.rank !== layout.only.rank || row.process.pid !== layout.only.pid))
		showOnly("");
	if (row.process.folded)
		unfold(row.process);
	const y = layout.rowAt.get(row.number), room = get("lanes");
	if (y < room.scrollTop + size.axis || y > room.scrollTop + room.clientHeight - 2 * size.row)
		room.scrollTop = y - room.clientHeight / 2;
	const length = Math.max(40, slices.end[i] - slices.begin[i]), middleOf = (slices.begin[i] + slices.end[i]) / 2;
	if (padding)
		setView(middleOf - length * padding, middleOf + length * padding);
	else if (slices.begin[i] > view.end || slices.end[i] < view.begin)
		setView(middleOf - (view.end - view.begin) / 2, middleOf + (view.end - view.begin) / 2);
	pick(slice);
}

function pickNeighbour(by) {
	if (!view.picked)
		return;
	const { slices, i, row } = view.picked;
	if (slices.begin[i + by] !== undefined)
		showSlice({ row, slices, i: i + by }, 0);
}

/* ---- what others ask for ---- */

function showStep(rank, number, scroll = true) {
	const r = steps.ranks[rank], step = r?.steps.find(s => s[0] === number);
	if (!step)
		return;
	unfold(r);
	const begin = valueOf(step, "begin_ns"), length = lengthOf(step);
	setView(begin - length * 0.03, begin + length * 1.03);
	const at = layout.list.find(item => item.process?.rank === r.rank && item.process.pid === r.pid);
	if (at)
		get("lanes").scrollTop = at.y - size.axis;
	if (scroll)
		get("timeline").scrollIntoView();
}

function showOnly(value) {
	layout.only = value === "" ? null : shownRanks()[Number(value)];
	get("shown").value = value;
	if (layout.only)
		unfold(layout.only);
	else
		placeLanes();
	get("lanes").scrollTop = 0;
	drawSoon();
}

/* ---- the mouse ---- */

function placeOf(event) {
	const box = get("plot").getBoundingClientRect();
	const x = event.clientX - box.left, y = event.clientY - box.top;
	return { x, y, item: y < size.axis ? undefined : itemAt(y + get("lanes").scrollTop) };
}

function sliceUnder({ x, item }) {
	return item?.row && x >= size.gutter ? sliceAt(item.row, view.level, timeOf(x), 2 * view.per) : null;
}

function tipOfCurve(event, { x, item }) {
	const points = curvePoints(item.curve), i = firstWhere(points.count, k => points.time[k] > timeOf(x)) - 1;
	showTip(event, item.curve.title, [i < 0 ? "nothing yet" : amount(points.value[i], item.curve.unit)]);
}

function hover(event) {
	const place = placeOf(event), slice = sliceUnder(place);
	if (slice) {
		const kind = slice.slices.kind[slice.i], many = slice.slices.many[slice.i];
		const lines = sliceRows(slice).filter(([name]) => name !== "in" && name !== "begin").slice(0, 8).map(line => line.join(": "));
		showTip(event, (many > 1 ? many + " slices, the longest " : "") + titleOf(kind), lines);
	} else if (place.item?.curve && place.x >= size.gutter) {
		tipOfCurve(event, place);
	} else if (place.item?.process && !place.item.curve) {
		showTip(event, place.item.process.title, [place.item.process.folded ? "click: unfold" : "click: fold"]);
	} else {
		hideTip();
	}
}

function dragTo(event) {
	const drag = view.drag, place = placeOf(event);
	drag.to = place.x;
	drag.moved ||= Math.abs(place.x - drag.from) + Math.abs(event.clientY - drag.y) > 4;
	if (!drag.moved)
		return;
	hideTip();
	get("plot").classList.toggle("dragged", !drag.select);
	if (drag.select)
		return drawSoon();
	const by = (drag.from - place.x) * view.per;
	get("lanes").scrollTop = drag.scroll + drag.y - event.clientY;
	setView(drag.begin + by, drag.begin + by + drag.length);
}

function endDrag(event) {
	const drag = view.drag, place = placeOf(event);
	view.drag = null;
	get("plot").classList.remove("dragged");
	if (!drag)
		return;
	if (drag.moved && drag.select) {
		const [from, to] = [timeOf(drag.from), timeOf(drag.to)].sort((a, b) => a - b);
		return setView(from, to);
	}
	if (drag.moved)
		return;
	if (place.item && !place.item.row && !place.item.curve) {
		place.item.process.folded = !place.item.process.folded;
		placeLanes();
		return drawSoon();
	}
	pick(sliceUnder(place));
}

function beginDrag(event) {
	if (event.button !== 0)
		return;
	const place = placeOf(event);
	view.drag = { from: place.x, to: place.x, y: event.clientY, scroll: get("lanes").scrollTop, begin: view.begin, length: view.end - view.begin, select: event.shiftKey };
	get("plot").setPointerCapture(event.pointerId);
}

function turnWheel(event) {
	const place = placeOf(event);
	if (place.x < size.gutter || !event.ctrlKey && document.activeElement !== get("plot"))
		return;
	event.preventDefault();
	if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
		pan((event.deltaX || event.deltaY) / 1200);
	else
		zoom(Math.exp(clamp(event.deltaY, -240, 240) / 320), timeOf(place.x));
}

/* ---- keys ---- */

const keys = {
	w: () => zoom(0.7), s: () => zoom(1 / 0.7), "+": () => zoom(0.7), "-": () => zoom(1 / 0.7), a: () => pan(-0.25), d: () => pan(0.25),
	ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1), ArrowUp: () => { get("lanes").scrollTop -= 60; }, ArrowDown: () => { get("lanes").scrollTop += 60; },
	0: viewAll, Home: viewAll, f: () => view.picked && showSlice(view.picked), ",": () => pickNeighbour(-1), ".": () => pickNeighbour(1), Escape: () => pick(null),
};

function pressKey(event) {
	const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
	if (!act || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	act();
}

function listenToPlot() {
	const plot = get("plot");
	plot.addEventListener("pointerdown", beginDrag);
	plot.addEventListener("pointermove", event => view.drag ? dragTo(event) : hover(event));
	plot.addEventListener("pointerup", endDrag);
	plot.addEventListener("pointercancel", () => { view.drag = null; });
	plot.addEventListener("pointerleave", hideTip);
	plot.addEventListener("dblclick", event => {
		const slice = sliceUnder(placeOf(event));
		if (slice)
			showSlice(slice);
	});
	plot.addEventListener("wheel", turnWheel, { passive: false });
	plot.addEventListener("keydown", pressKey);
	get("lanes").addEventListener("scroll", drawSoon);
}

function startTimeline() {
	get("shown").append(element("option", { value: "", textContent: "all ranks" }), ...shownRanks().map((process, i) => element("option", { value: String(i), textContent: plain(process.title, 60) })));
	get("shown").addEventListener("change", () => showOnly(get("shown").value));
	for (const [id, act] of [["zoom-in", () => zoom(0.6)], ["zoom-out", () => zoom(1 / 0.6)], ["zoom-all", viewAll], ["fold", () => foldAll(true)], ["unfold", () => foldAll(false)]])
		get(id).addEventListener("click", () => { act(); drawSoon(); });
	listenToPlot();
	foldForStart();
	viewAll();
	drawers.push(drawTimeline);
}
