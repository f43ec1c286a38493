/* heat.js - how long each step of each rank was: a row a rank, a column a step. */
const heat = { left: 62, top: 4, bottom: 18, numbers: [], low: 0, high: 0, cells: [] };

function heatColour(share) {
	const stops = ["heat-0", "heat-1", "heat-2"].map(name => colour(name).match(/[0-9a-f]{2}/gi).map(hex => parseInt(hex, 16)));
	const at = clamp(share, 0, 1) * 2, i = Math.min(1, Math.floor(at));
	return "rgb(" + stops[i].map((from, k) => Math.round(from + (stops[i + 1][k] - from) * (at - i))).join() + ")";
}

/* Of the first and last hundredth, which may lie far out, the colour is that of the ends; so is that of steps that are none, as they were cut off. */
function prepareHeat() {
	const lengths = steps.ranks.flatMap(r => r.steps.map(lengthOf)).sort((a, b) => a - b);
	heat.numbers = [...new Set(steps.ranks.flatMap(r => r.steps.map(step => step[0])))].sort((a, b) => a - b);
	heat.column = new Map(heat.numbers.map((n, i) => [n, i]));
	heat.cells = steps.ranks.flatMap((r, y) => r.steps.map(step => ({ length: lengthOf(step), x: heat.column.get(step[0]), y })));
	heat.cells.sort((a, b) => a.length - b.length);
	heat.low = Math.max(lengths[Math.floor(lengths.length * 0.01)] ?? 0, (lengths[lengths.length >> 1] ?? 0) / 2);
	heat.high = lengths[Math.ceil(lengths.length * 0.99) - 1] ?? 1;
}

function heatSize(width) {
	const rows = steps.ranks.length;
	heat.pitchY = rows > 700 ? 700 / rows : clamp(Math.floor(480 / rows), 1, 18);
	heat.pitch = Math.min(48, (width - heat.left) / Math.max(1, heat.numbers.length));
	return heat.top + heat.bottom + rows * heat.pitchY;
}

/* Of several in a pixel the longest, once. */
function visibleCells() {
	if (heat.pitch >= 1)
		return heat.cells;
	const longest = new Map();
	for (const cell of heat.cells)
		longest.set(cell.y * 65536 + Math.floor(cell.x * heat.pitch), cell);
	return [...longest.values()];
}

/* The longest last: where several ranks share a pixel it is theirs that is seen. */
function drawHeatCells(g) {
	const span = heat.high - heat.low || 1, gapX = heat.pitch > 5 ? 1 : 0, gapY = heat.pitchY > 4 ? 1 : 0;
	const table = Array.from({ length: 65 }, (_, i) => heatColour(i / 64));
	for (const { length, x, y } of visibleCells()) {
		g.fillStyle = table[Math.round(64 * clamp((length - heat.low) / span, 0, 1))];
		g.fillRect(heat.left + x * heat.pitch, heat.top + y * heat.pitchY, Math.max(1, heat.pitch - gapX), Math.max(1, heat.pitchY - gapY));
	}
}

function drawHeatLabels(g, height) {
	const rows = Math.ceil(13 / heat.pitchY), columns = Math.ceil((String(heat.numbers.at(-1) ?? 0).length * 8 + 8) / heat.pitch);
	g.fillStyle = colour("quiet");
	g.textAlign = "right";
	for (let y = 0; y < steps.ranks.length; y += rows) {
		const r = steps.ranks[y];
		labelIn(g, r.rank === null ? String(r.pid) : String(r.rank), heat.left - 8, heat.top + (y + 0.5) * heat.pitchY, heat.left - 10);
	}
	g.textAlign = "center";
	for (let i = 0; i < heat.numbers.length; i += columns)
		g.fillText(String(heat.numbers[i]), heat.left + (i + 0.5) * heat.pitch, height - heat.bottom / 2 + 1);
}

function drawHeat() {
	const width = get("heat").parentElement.clientWidth;
	const { g, height } = canvasOf(get("heat"), heatSize(width));
	drawHeatCells(g);
	drawHeatLabels(g, height);
	const at = heat.column.get(chosen.step);
	g.strokeStyle = colour("ink");
	g.lineWidth = 1.5;
	if (at !== undefined)
		g.strokeRect(heat.left + at * heat.pitch - 1, heat.top + chosen.rank * heat.pitchY - 1, heat.pitch + 1, heat.pitchY + 1);
}

function cellAt(event) {
	const box = get("heat").getBoundingClientRect();
	const rank = Math.floor((event.clientY - box.top - heat.top) / heat.pitchY);
	const number = heat.numbers[Math.floor((event.clientX - box.left - heat.left) / heat.pitch)];
	const step = steps.ranks[rank]?.steps.find(s => s[0] === number);
	return step && { rank, step };
}

function listenToHeat() {
	const canvas = get("heat");
	canvas.addEventListener("mousemove", event => {
		const cell = cellAt(event);
		if (cell)
			showTip(event, "step " + cell.step[0] + " of " + rankTitle(steps.ranks[cell.rank]), stepLines(cell.step));
		else
			hideTip();
	});
	canvas.addEventListener("mouseleave", hideTip);
	canvas.addEventListener("click", event => {
		const cell = cellAt(event);
		if (cell)
			choose({ rank: cell.rank, step: cell.step[0] });
	});
	canvas.addEventListener("keydown", event => {
		const down = { ArrowUp: -1, ArrowDown: 1 }[event.key], right = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!down && !right)
			return;
		event.preventDefault();
		const at = (heat.column.get(chosen.step) ?? 0) + (right ?? 0);
		choose({ rank: clamp(chosen.rank + (down ?? 0), 0, steps.ranks.length - 1), step: heat.numbers[clamp(at, 0, heat.numbers.length - 1)] });
	});
}

function startHeat() {
	prepareHeat();
	get("heat-part").hidden = steps.ranks.length < 2 || !heat.numbers.length;
	if (get("heat-part").hidden)
		return;
	get("heat-legend").append((heat.cells[0].length < heat.low ? "≤ " : "") + duration(heat.low), element("span", { className: "ramp" }), duration(heat.high));
	get("heat-reading").textContent = plural(steps.ranks.length, "rank") + ", " + plural(heat.numbers.length, "step");
	listenToHeat();
	drawers.push(drawHeat);
	chosen.told.push(drawHeat);
}
