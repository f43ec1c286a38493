/* lanes.js - which lanes of the time line are shown, and where. */
const size = { head: 22, row: 17, curve: 34, gap: 5, axis: 26, gutter: 176 };
const rows = []; /* by number */
const processes = timeline.processes.map((data, number) => ({
	number, title: data.title, label: data.label, rank: data.rank, pid: data.pid, folded: false,
	lanes: data.lanes.map(lane => ({ title: lane.title, index: lane.index, rows: lane.rows.map(row => new Row(row)) })).sort((a, b) => a.index - b.index),
	curves: data.curves.map(curve => ({ title: curve.title, unit: curve.unit, data: curve })),
}));
const layout = { list: [], height: 0, only: null, rowAt: new Map() };

for (const process of processes)
	for (const lane of process.lanes)
		for (const row of lane.rows) {
			row.lane = lane;
			row.process = process;
			rows[row.number] = row;
		}

const curvePoints = curve => curve.points ??= readCurve(curve.data);

function placeProcess(process, y) {
	layout.list.push({ process, y, height: size.head });
	y += size.head;
	if (process.folded)
		return y + size.gap;
	for (const lane of process.lanes) {
		lane.y = y;
		for (const row of lane.rows) {
			layout.rowAt.set(row.number, y);
			layout.list.push({ row, lane, y, height: size.row });
			y += size.row;
		}
		y += size.gap;
	}
	for (const curve of process.curves) {
		layout.list.push({ curve, process, y, height: size.curve });
		y += size.curve + size.gap;
	}
	return y;
}

function placeLanes() {
	layout.list = [];
	layout.rowAt.clear();
	let y = size.axis;
	for (const process of processes)
		if (layout.only === null || process.rank === layout.only.rank && process.pid === layout.only.pid)
			y = placeProcess(process, y);
	layout.height = y + 4;
	get("lanes-room").style.height = layout.height + "px";
}

/* A rank and its devices are several processes of the time line, of one pid. */
function shownRanks() {
	const seen = new Map();
	for (const process of processes)
		if (!seen.has(process.rank + " " + process.pid))
			seen.set(process.rank + " " + process.pid, process);
	return [...seen.values()];
}

function foldAll(folded) {
	for (const process of processes)
		process.folded = folded;
	placeLanes();
}

/* Of many processes those of one rank are open. */
function foldForStart() {
	const first = steps.ranks[chosen.rank];
	if (processes.length > 6)
		for (const process of processes)
			process.folded = !first || process.rank !== first.rank || process.pid !== first.pid;
	placeLanes();
}

const itemAt = y => layout.list.find(item => y >= item.y && y < item.y + item.height);

/* The slice of a row at a time; or, within some ns of it, the nearest. */
function sliceAt(row, level, time, within) {
	const slices = row.level(level);
	const at = firstWhere(slices.count, i => slices.end[i] >= time - within);
	for (let i = at; i < Math.min(at + 4, slices.count); i++)
		if (slices.begin[i] - within <= time && slices.end[i] + within >= time)
			return { row, slices, i };
	return null;
}
