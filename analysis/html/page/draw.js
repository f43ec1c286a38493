/* draw.js - the time line on its canvas: as many slices as there are pixels for. */
const view = { begin: 0, end: Math.max(1, timeline.length_ns), picked: null, hovered: null, matches: null, drag: null, level: 0, per: 1 };
const hues = [212, 28, 160, 270, 340, 95, 190, 48, 235, 310, 130, 12];
const kindColours = [];
const arrowGroups = timeline.arrows.map(readArrows);

function kindColour(kind) {
	const theme = document.documentElement.dataset.theme;
	const known = kindColours[kind];
	if (known?.theme === theme)
		return known.text;
	let hash = 7;
	for (const letter of titleOf(kind).slice(0, 200))
		hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
	const hue = hues[hash % hues.length], soft = categoryOf(kind) === "user_annotation";
	const light = (theme === "dark" ? 60 : 70) + (hash >>> 8) % 4 * 3;
	const text = soft ? (theme === "dark" ? "#5c6a7d" : "#c5cedb") : "hsl(" + hue + " " + (theme === "dark" ? 48 : 62) + "% " + light + "%)";
	kindColours[kind] = { theme, text };
	return text;
}

/* The coarsest level whose slices are no longer than a pixel. */
function levelFor(per) {
	let level = 0;
	while (level + 1 < timeline.resolutions.length && timeline.resolutions[level + 1] <= per)
		level++;
	return level;
}

const xOf = time => size.gutter + (time - view.begin) / view.per;
const timeOf = x => view.begin + (x - size.gutter) * view.per;

function drawSlice(g, slices, i, x, width, y) {
	const kind = slices.kind[i], dim = view.matches && !view.matches.kinds[kind];
	g.globalAlpha = (dim ? 0.18 : 1) * (slices.many[i] > 1 ? 0.35 + 0.65 * slices.busy[i] : 1);
	g.fillStyle = kindColour(kind);
	g.fillRect(x, y, width, size.row - 2);
	g.globalAlpha = 1;
	if (view.matches && !dim && width > 2) {
		g.strokeStyle = colour("ink");
		g.lineWidth = 1;
		g.strokeRect(x + 0.5, y + 0.5, width - 1, size.row - 3);
	}
	if (width < 26)
		return;
	g.fillStyle = dim ? colour("quiet") : categoryOf(kind) === "user_annotation" && document.documentElement.dataset.theme === "dark" ? "#eef2f8" : colour("slice-ink");
	const left = Math.max(x, size.gutter) + 4;
	labelIn(g, (slices.many[i] > 1 ? slices.many[i] + " × " : "") + titleOf(kind), left, y + size.row / 2 - 0.5, x + width - left - 3);
}

function drawMark(g, x, y) {
	g.fillStyle = colour("communication");
	g.beginPath();
	g.moveTo(x - 4, y);
	g.lineTo(x + 4, y);
	g.lineTo(x, y + 7);
	g.fill();
}

function drawRow(g, row, y, right) {
	const slices = row.level(view.level);
	let drawn = -1;
	g.textAlign = "left";
	for (let i = firstWhere(slices.count, k => slices.end[k] >= view.begin); i < slices.count && slices.begin[i] <= view.end; i++) {
		const x = Math.max(xOf(slices.begin[i]), size.gutter - 2), end = Math.min(xOf(slices.end[i]), right + 2);
		if (slices.end[i] === slices.begin[i] && slices.many[i] < 2) {
			drawMark(g, x, y);
			continue;
		}
		if (end <= drawn && end - x < 1)
			continue;
		const from = Math.max(x, Math.min(drawn, end));
		drawn = Math.max(end, Math.floor(x) + 1);
		drawSlice(g, slices, i, from, drawn - from - (drawn - from > 4 ? 0.5 : 0), y + 1);
	}
}

function drawCurveIn(g, points, begin, end, box, stroke) {
	const first = Math.max(0, firstWhere(points.count, i => points.time[i] > begin) - 1);
	let most = 0, i = first;
	for (; i < points.count && points.time[i] <= end; i++)
		most = Math.max(most, points.value[i]);
	const toX = time => box.x + (clamp(time, begin, end) - begin) / (end - begin) * box.width;
	const toY = value => box.y + box.height - (most ? value / most : 0) * (box.height - 3);
	g.beginPath();
	g.moveTo(toX(points.time[first] ?? begin), box.y + box.height);
	for (let k = first; k < i; k++) {
		g.lineTo(toX(points.time[k]), toY(k > first ? points.value[k - 1] : points.value[k]));
		g.lineTo(toX(points.time[k]), toY(points.value[k]));
	}
	if (i > first) {
		const last = i < points.count ? end : points.time[i - 1];
		g.lineTo(toX(last), toY(points.value[i - 1]));
		g.lineTo(toX(last), box.y + box.height);
	}
	g.globalAlpha = 0.35;
	g.fillStyle = stroke;
	g.fill();
	g.globalAlpha = 1;
	g.strokeStyle = stroke;
	g.lineWidth = 1;
	g.stroke();
	return most;
}

const amount = (value, unit) => unit === "bytes" ? byteCount(value) : number(value) + " " + unit;

function drawCurveLane(g, item, y, width) {
	const box = { x: size.gutter, y, width: width - size.gutter, height: size.curve };
	g.save();
	g.beginPath();
	g.rect(box.x, box.y - 1, box.width, box.height + 2);
	g.clip();
	item.most = drawCurveIn(g, curvePoints(item.curve), view.begin, view.end, box, colour(item.curve.unit === "bytes" ? "copy" : "other"));
	g.restore();
}

/* ---- what stands around them ---- */

function drawAxis(g, width) {
	const step = roundStep(90 * view.per);
	g.fillStyle = colour("lane-head");
	g.fillRect(0, 0, width, size.axis - 4);
	g.textAlign = "left";
	for (let at = Math.ceil(view.begin / step) * step; at <= view.end; at += step) {
		const x = xOf(at);
		g.fillStyle = colour("line-strong");
		g.fillRect(Math.round(x), 0, 1, size.axis - 4);
		g.fillStyle = colour("quiet");
		g.fillText(durationMark(at, step), x + 4, size.axis / 2 - 2);
	}
	g.fillStyle = colour("lane-head");
	g.fillRect(0, 0, size.gutter, size.axis - 4);
	g.fillStyle = colour("ink");
	g.fillText(duration(Math.round(view.end - view.begin)) + " shown", 8, size.axis / 2 - 2);
}

function drawGrid(g, width, height) {
	const step = roundStep(90 * view.per);
	g.fillStyle = colour("line");
	g.globalAlpha = 0.6;
	for (let at = Math.ceil(view.begin / step) * step; at <= view.end; at += step)
		g.fillRect(Math.round(xOf(at)), size.axis, 1, height);
	g.globalAlpha = 1;
}

function drawHead(g, process, y, width) {
	g.fillStyle = colour("lane-head");
	g.fillRect(0, y, width, size.head - 2);
	g.fillStyle = colour("ink");
	g.textAlign = "left";
	g.font = "600 11px system-ui, sans-serif";
	g.fillText(process.folded ? "▸" : "▾", 7, y + size.head / 2 - 1);
	labelIn(g, process.title + (process.label ? " – " + process.label : ""), 22, y + size.head / 2 - 1, width - 40);
	g.font = "11px system-ui, sans-serif";
}

function drawGutter(g, item, y) {
	g.textAlign = "left";
	g.fillStyle = colour("quiet");
	if (item.curve) {
		labelIn(g, item.curve.title, 10, y + 10, size.gutter - 16);
		g.fillText("to " + amount(item.most ?? 0, item.curve.unit), 10, y + 24);
	} else if (item.row === item.lane.rows[0]) {
		labelIn(g, item.lane.title, 10, y + size.row / 2, size.gutter - 16);
	}
}

function drawItem(g, item, y, width) {
	if (item.row)
		drawRow(g, item.row, y, width);
	else if (item.curve)
		drawCurveLane(g, item, y, width);
}

/* ---- arrows and what is picked ---- */

function drawArrow(g, group, i, scroll) {
	const from = layout.rowAt.get(group.from), to = layout.rowAt.get(group.to);
	if (from === undefined || to === undefined)
		return;
	const x0 = xOf(group.begin[i]), x1 = xOf(group.end[i]), y0 = from - scroll + size.row - 3, y1 = to - scroll + 2;
	const bend = Math.max(14, Math.abs(x1 - x0) / 3);
	g.beginPath();
	g.moveTo(x0, y0);
	g.bezierCurveTo(x0 + bend, y0 + (y1 - y0) / 3, x1 - bend, y1 - (y1 - y0) / 3, x1, y1);
	g.stroke();
	g.beginPath();
	g.moveTo(x1, y1);
	g.lineTo(x1 - 6, y1 - 4);
	g.lineTo(x1 - 5, y1 + 3);
	g.fill();
}

/* Arrows of a slice: of its row, that begin or end with it. */
function arrowsOf(slice) {
	const found = [], begin = slice.slices.begin[slice.i], end = slice.slices.end[slice.i];
	const near = time => time === begin || time === end;
	for (const group of arrowGroups) {
		if (group.from === slice.row.number)
			for (let i = firstWhere(group.count, k => group.begin[k] >= begin); i < group.count && group.begin[i] <= end; i++)
				if (near(group.begin[i]))
					found.push({ group, i });
		if (group.to === slice.row.number)
			for (let i = 0; i < group.count; i++)
				if (group.end[i] === begin)
					found.push({ group, i });
	}
	return found;
}

/* All in view, if they are few enough to be told apart. */
function arrowsInView(most) {
	const found = [];
	for (const group of arrowGroups) {
		if (!layout.rowAt.has(group.from) || !layout.rowAt.has(group.to))
			continue;
		for (let i = firstWhere(group.count, k => group.begin[k] >= view.begin); i < group.count && group.begin[i] <= view.end; i++)
			if (found.push({ group, i }) > most)
				return [];
	}
	return found;
}

function drawArrows(g, scroll) {
	g.strokeStyle = g.fillStyle = colour("quiet");
	g.lineWidth = 1;
	g.globalAlpha = 0.4;
	for (const { group, i } of arrowsInView(150))
		drawArrow(g, group, i, scroll);
	g.globalAlpha = 1;
	g.strokeStyle = g.fillStyle = colour("accent");
	g.lineWidth = 1.6;
	for (const { group, i } of view.picked ? arrowsOf(view.picked) : [])
		drawArrow(g, group, i, scroll);
}

function drawPicked(g, scroll) {
	const picked = view.picked, y = picked && layout.rowAt.get(picked.row.number);
	if (!picked || y === undefined)
		return;
	const x = Math.max(size.gutter, xOf(picked.slices.begin[picked.i])), end = Math.max(x + 2, xOf(picked.slices.end[picked.i]));
	g.strokeStyle = colour("accent");
	g.lineWidth = 2;
	g.strokeRect(x - 1, y - scroll, end - x + 2, size.row);
}

function drawDrag(g, height) {
	if (!view.drag?.select)
		return;
	g.fillStyle = colour("accent");
	g.globalAlpha = 0.2;
	g.fillRect(Math.min(view.drag.from, view.drag.to), size.axis, Math.abs(view.drag.to - view.drag.from), height);
	g.globalAlpha = 1;
}

function drawBackground(g, shown, scroll, width, height) {
	for (const item of shown)
		if (!item.process || item.curve) {
			g.fillStyle = colour("lane");
			g.fillRect(size.gutter, item.y - scroll, width - size.gutter, item.height);
		}
	drawGrid(g, width, height);
}

function drawGutters(g, shown, scroll, height) {
	g.fillStyle = colour("card");
	g.fillRect(0, size.axis, size.gutter, height);
	for (const item of shown)
		if (item.row || item.curve)
			drawGutter(g, item, item.y - scroll);
	g.fillStyle = colour("line");
	g.fillRect(size.gutter - 1, 0, 1, height);
}

function drawTimeline() {
	const room = get("lanes"), scroll = room.scrollTop;
	const { g, width, height } = canvasOf(get("plot"), Math.max(120, Math.min(layout.height, Math.round(innerHeight * 0.74) - 2)));
	const shown = layout.list.filter(item => item.y + item.height > scroll && item.y < scroll + height);
	size.gutter = width < 640 ? 96 : 176;
	view.per = (view.end - view.begin) / Math.max(1, width - size.gutter);
	view.level = levelFor(view.per);
	drawBackground(g, shown, scroll, width, height);
	g.save();
	g.beginPath();
	g.rect(size.gutter, 0, width - size.gutter, height);
	g.clip();
	for (const item of shown)
		drawItem(g, item, item.y - scroll, width);
	drawArrows(g, scroll);
	drawPicked(g, scroll);
	drawDrag(g, height);
	g.restore();
	drawGutters(g, shown, scroll, height);
	for (const item of shown)
		if (!item.row && !item.curve)
			drawHead(g, item.process, item.y - scroll, width);
	drawAxis(g, width);
	room.dataset.begin = Math.round(view.begin);
	room.dataset.end = Math.round(view.end);
}
