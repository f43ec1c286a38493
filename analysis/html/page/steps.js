/* steps.js - steps as bars, split as the report does: of one rank, or of all ranks at one step. */
const parts = [["compute", "compute_ns"], ["communication", "communication_not_overlapped_ns"], ["copy", "copy_ns"], ["idle", "idle_ns"]];
const bars = { byRank: false, list: [], left: 62, bottom: 20 };

const valueOf = (step, name) => step[column[name]];
const lengthOf = step => valueOf(step, "e2e_ns");

/* Parts may overlap (copies beside kernels): idle is what the report says, and what is in front is cut to what is left. */
function partsOf(step) {
	const length = lengthOf(step);
	let left = length - Math.min(length, valueOf(step, "idle_ns"));
	return parts.map(([name, key]) => {
		const size = name === "idle" ? Math.min(length, valueOf(step, key)) : Math.min(left, valueOf(step, key));
		left -= name === "idle" ? 0 : size;
		return [name, size];
	});
}

function barList() {
	const rank = steps.ranks[chosen.rank];
	if (!rank)
		return [];
	if (!bars.byRank)
		return rank.steps.map(step => ({ label: String(step[0]), title: "step " + step[0] + " of " + rankTitle(rank), step, rank: chosen.rank }));
	return steps.ranks.flatMap((r, i) => r.steps.filter(step => step[0] === chosen.step).map(step => ({ label: r.rank === null ? String(r.pid) : String(r.rank), title: rankTitle(r) + " at step " + step[0], step, rank: i })));
}

function drawScale(g, width, height, most) {
	const step = roundStep(Math.max(1, most / 4));
	g.textAlign = "right";
	for (let at = 0; at <= most; at += step) {
		const y = height - bars.bottom - (height - bars.bottom - 8) * at / most;
		g.fillStyle = colour("line");
		g.fillRect(bars.left, Math.round(y), width - bars.left, 1);
		g.fillStyle = colour("quiet");
		g.fillText(at ? durationMark(at, step) : "0", bars.left - 6, y);
	}
}

function drawBar(g, bar, x, width, height, most) {
	const room = height - bars.bottom - 8;
	let y = height - bars.bottom;
	for (const [name, size] of partsOf(bar.step)) {
		const h = room * size / most;
		g.fillStyle = colour(name);
		g.fillRect(x, y - h, width, h);
		y -= h;
	}
	const rest = height - bars.bottom - room * lengthOf(bar.step) / most;
	g.fillStyle = colour("other");
	g.fillRect(x, rest, width, Math.max(0, y - rest));
}

/* Of more bars than pixels the longest of each pixel. */
function visibleBars() {
	const list = bars.list.map((bar, i) => ({ bar, x: bars.left + bars.pitch * i }));
	if (bars.pitch >= 1)
		return list;
	const longest = new Map();
	for (const item of list) {
		const known = longest.get(Math.floor(item.x));
		if (!known || lengthOf(item.bar.step) > lengthOf(known.bar.step))
			longest.set(Math.floor(item.x), item);
	}
	return [...longest.values()];
}

function isChosen(bar) {
	return bars.byRank ? bar.rank === chosen.rank : bar.step[0] === chosen.step;
}

function drawLabels(g, pitch, height) {
	const letters = bars.list.reduce((most, bar) => Math.max(most, bar.label.length), 1);
	const every = Math.max(1, Math.ceil((letters * 7 * 1.5 + 4) / pitch));
	g.textAlign = "center";
	g.fillStyle = colour("quiet");
	for (let i = 0; i < bars.list.length; i += every)
		g.fillText(bars.list[i].label, bars.left + pitch * (i + 0.5), height - bars.bottom / 2);
}

function drawBars() {
	const { g, width, height } = canvasOf(get("bars"));
	bars.list = barList();
	bars.pitch = Math.min(64, (width - bars.left) / Math.max(1, bars.list.length));
	const most = bars.list.reduce((longest, bar) => Math.max(longest, lengthOf(bar.step)), 1);
	const thick = Math.max(1, bars.pitch > 4 ? bars.pitch * 0.82 : bars.pitch);
	drawScale(g, width, height, most);
	for (const { bar, x: left } of visibleBars()) {
		const x = left + Math.max(0, bars.pitch - thick) / 2;
		drawBar(g, bar, x, thick, height, most);
		if (isChosen(bar)) {
			g.strokeStyle = colour("ink");
			g.lineWidth = 2;
			g.strokeRect(x - 1, 4, thick + 2, height - bars.bottom - 3);
		}
	}
	drawLabels(g, bars.pitch, height);
	get("bars-of").textContent = bars.byRank ? "step " + chosen.step : plain(steps.ranks.length ? rankTitle(steps.ranks[chosen.rank]) : "no rank");
}

function barAt(event) {
	const x = event.clientX - get("bars").getBoundingClientRect().left - bars.left;
	return x < 0 ? undefined : bars.list[Math.floor(x / bars.pitch)];
}

function stepLines(step) {
	const lines = [duration(lengthOf(step))];
	for (const [name, key] of parts)
		lines.push(name + (name === "communication" ? " not overlapped: " : ": ") + duration(valueOf(step, key)));
	lines.push("by times of the " + (valueOf(step, "by_device") ? "device" : "host"));
	return lines;
}

/* The neighbour of what is chosen, by the arrows. */
function moveChoice(by) {
	const at = bars.list.findIndex(isChosen);
	const bar = bars.list[clamp(at + by, 0, bars.list.length - 1)];
	if (bar)
		choose({ rank: bar.rank, step: bar.step[0] });
}

function listenToBars() {
	const canvas = get("bars");
	canvas.addEventListener("mousemove", event => {
		const bar = barAt(event);
		if (bar)
			showTip(event, bar.title, stepLines(bar.step));
		else
			hideTip();
	});
	canvas.addEventListener("mouseleave", hideTip);
	canvas.addEventListener("click", event => {
		const bar = barAt(event);
		if (bar) {
			choose({ rank: bar.rank, step: bar.step[0] });
			showStep(bar.rank, bar.step[0], false);
		}
	});
	canvas.addEventListener("keydown", event => {
		if (event.key === "ArrowLeft" || event.key === "ArrowRight")
			moveChoice(event.key === "ArrowLeft" ? -1 : 1);
		else if (event.key === "Enter")
			showStep(chosen.rank, chosen.step);
		else
			return;
		event.preventDefault();
	});
}

function setBars(byRank) {
	bars.byRank = byRank;
	get("by-step").setAttribute("aria-pressed", String(!byRank));
	get("by-rank").setAttribute("aria-pressed", String(byRank));
	drawBars();
}

function startSteps() {
	const words = { communication: "communication, not overlapped" };
	get("step-legend").append(...parts.map(([name]) => element("span", {}, element("i", { className: name }), words[name] ?? name)));
	get("by-step").addEventListener("click", () => setBars(false));
	get("by-rank").addEventListener("click", () => setBars(true));
	get("by-rank").parentElement.hidden = steps.ranks.length < 2;
	listenToBars();
	drawers.push(drawBars);
	chosen.told.push(drawBars);
}
