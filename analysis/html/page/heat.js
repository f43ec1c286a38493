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
	heat.low = Math.max(lengths[Math.floor(lengths.length * 0.01)] ?? 0, (lengths[lengths.length >> 1] ?? 0) / 2);
	heat.high = lengths[Math.ceil(lengths.length * 0.99) - 1] ?? 1;
}

function heatSize(width) {
	const rows = steps.ranks.length;
	heat.high16 = clamp(Math.floor(480 / rows), 1, 18);
	heat.pitch = Math.min(48, (width - heat.left) / Math.max(1, heat.numbers.length));
	return heat.top + heat.bottom + rows * heat.high16;
}

function drawHeatCells(g) {
	const span = heat.high - heat.low || 1, gap = heat.pitch > 5 && heat.high16 > 4 ? 1 : 0;
	const table = Array.from({ length: 65 }, (_, i) => heatColour(i / 64));
	steps.ranks.forEach((r, y) => {
		for (const step of r.steps) {
			const x = heat.left + heat.column.get(step[0]) * heat.pitch;
			g.fillStyle = table[Math.round(64 * clamp((lengthOf(step) - heat.low) / span, 0, 1))];
			g.fillRect(x, heat.top + y * heat.high16, Math.max(1, heat.pitch - gap), Math.max(1, heat.high16 - gap));
		}
	});
}

function drawHeatLabels(g, height) {
	const rows = Math.ceil(13 / heat.high16), columns = Math.ceil((String(heat.numbers.at(-1) ?? 0).length * 8 + 8) / heat.pitch);
	g.fillStyle = colour("quiet");
	g.textAlign = "right";
	for (let y = 0; y < steps.ranks.length; y += rows) {
		const r = steps.ranks[y];
		labelIn(g, r.rank === null ? String(r.pid) : String(r.rank), heat.left - 8, heat.top + (y + 0.5) * heat.high16, heat.left - 10);
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
		g.strokeRect(heat.left + at * heat.pitch - 1, heat.top + chosen.rank * heat.high16 - 1, heat.pitch + 1, heat.high16 + 1);
}

function cellAt(event) {
	const box = get("heat").getBoundingClientRect();
	const rank = Math.floor((event.clientY - box.top - heat.top) / heat.high16);
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
	get("heat-legend").append(duration(heat.low), element("span", { className: "ramp" }), duration(heat.high));
	get("heat-reading").textContent = plural(steps.ranks.length, "rank") + ", " + plural(heat.numbers.length, "step");
	listenToHeat();
	drawers.push(drawHeat);
	chosen.told.push(drawHeat);
}
