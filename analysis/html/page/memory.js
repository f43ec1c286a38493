/* memory.js - how much memory was handed out, as curves of the chosen rank. */
const memory = { shown: [] };

function curvesOf(rank) {
	return processes.filter(process => rank && process.rank === rank.rank && process.pid === rank.pid).flatMap(process => process.curves).filter(curve => curve.unit === "bytes");
}

function drawCurve({ canvas, curve }) {
	const { g, width, height } = canvasOf(canvas), points = curvePoints(curve), box = { x: 70, y: 6, width: width - 70, height: height - 24 };
	const end = Math.max(1, timeline.length_ns);
	g.fillStyle = colour("lane");
	g.fillRect(box.x, box.y, box.width, box.height);
	const most = drawCurveIn(g, points, 0, end, box, colour("copy"));
	g.fillStyle = colour("quiet");
	g.textAlign = "right";
	g.fillText(byteCount(most), box.x - 6, box.y + 6);
	g.fillText("0", box.x - 6, box.y + box.height - 4);
	const step = roundStep(end / Math.max(2, width / 160));
	g.textAlign = "center";
	for (let at = step; at < end * 0.97; at += step)
		g.fillText(durationMark(at, step), box.x + at / end * box.width, height - 8);
}

function curveBlock(curve) {
	const canvas = element("canvas", { role: "img", "aria-label": curve.title }), points = curvePoints(curve);
	const peak = points.value.reduce((most, value) => Math.max(most, value), 0);
	canvas.addEventListener("mousemove", event => {
		const box = canvas.getBoundingClientRect(), time = (event.clientX - box.left - 70) / (box.width - 70) * timeline.length_ns;
		const i = firstWhere(points.count, k => points.time[k] > time) - 1;
		showTip(event, curve.title, [i < 0 ? "nothing yet" : byteCount(points.value[i]), "at " + duration(Math.max(0, Math.round(time)))]);
	});
	canvas.addEventListener("mouseleave", hideTip);
	memory.shown.push({ canvas, curve });
	return element("div", { className: "curve" }, element("div", { className: "name" }, element("b", { textContent: plain(curve.title) }), element("span", { className: "quiet", textContent: "at most " + byteCount(peak) })), canvas);
}

function showMemory() {
	memory.shown = [];
	const list = curvesOf(steps.ranks[chosen.rank]);
	get("curves").replaceChildren(...list.map(curveBlock));
	if (!list.length)
		get("curves").append(element("p", { className: "quiet", textContent: "No allocation of this rank was recorded: add memory to --contents, and record at --level level1." }));
	memory.shown.forEach(drawCurve);
}

function startMemory() {
	let rank = null;
	chosen.told.push(() => {
		if (rank !== chosen.rank)
			showMemory();
		rank = chosen.rank;
	});
	drawers.push(() => memory.shown.forEach(drawCurve));
}
