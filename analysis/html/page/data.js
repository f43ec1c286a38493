/* data.js - what the page holds: report, steps, why and the events. */
const json = id => JSON.parse(document.getElementById("data-" + id).textContent);
const report = json("report");
const steps = json("steps");
const why = json("why");
const sentences = json("sentences");
const timeline = json("timeline");
const column = Object.fromEntries(steps.columns.map((name, i) => [name, i]));

function bytesOf(id) {
	const text = atob(document.getElementById("data-" + id).textContent);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

/* As PyTorch calls a step, for whom exports are made; here it is a step. */
timeline.titles = timeline.titles.map(title => title.replace(/^ProfilerStep#(-?\d+)$/, "step $1"));
const events = bytesOf("events");

/* Numbers of seven bits a byte, the lowest first; they may have more than the 32 bits of JavaScript's operators. */
class Reader {
	constructor(offset) {
		this.at = offset;
	}
	number() {
		let byte = events[this.at++], n = byte & 127, by = 128;
		for (; byte > 127; by *= 128) {
			byte = events[this.at++];
			n += (byte & 127) * by;
		}
		return n;
	}
	signed() {
		const n = this.number();
		return n % 2 ? -(n + 1) / 2 : n / 2;
	}
	byte() {
		return events[this.at++];
	}
}

/* Slices of one row at one level: begin and end in ns, kind, how many, and how much of it was busy (0 to 1). */
function readSlices(offset, count) {
	const slices = { count, begin: new Float64Array(count), end: new Float64Array(count), kind: new Uint32Array(count), many: new Uint32Array(count), busy: new Float32Array(count) };
	const reader = new Reader(offset);
	let at = 0;
	for (let i = 0; i < count; i++) {
		slices.begin[i] = at += reader.signed();
		slices.end[i] = at += reader.number();
		const kind = reader.number();
		slices.kind[i] = kind / 2;
		slices.many[i] = kind % 2 ? reader.number() : 1;
		slices.busy[i] = kind % 2 ? reader.byte() / 255 : 1;
	}
	return slices;
}

/* A row as the data has it: its number, then offset and count of each level, which may be that of the finer one. Levels are read when they are drawn. */
class Row {
	constructor(data) {
		this.number = data[0];
		this.places = data.slice(1);
		this.read = new Map();
	}
	level(n) {
		const k = 2 * Math.min(n, this.places.length / 2 - 1), offset = this.places[k];
		if (!this.read.has(offset))
			this.read.set(offset, readSlices(offset, this.places[k + 1]));
		return this.read.get(offset);
	}
}

function readCurve(curve) {
	const points = { count: curve.count, time: new Float64Array(curve.count), value: new Float64Array(curve.count) };
	const reader = new Reader(curve.offset);
	let time = 0, value = 0;
	for (let i = 0; i < curve.count; i++) {
		points.time[i] = time += reader.signed();
		points.value[i] = value += reader.signed();
	}
	return points;
}

function readArrows([from, to, offset, count]) {
	const arrows = { from, to, count, begin: new Float64Array(count), end: new Float64Array(count) };
	const reader = new Reader(offset);
	let time = 0;
	for (let i = 0; i < count; i++) {
		arrows.begin[i] = time += reader.signed();
		arrows.end[i] = time + reader.signed();
	}
	return arrows;
}

const titleOf = kind => timeline.titles[timeline.kinds[3 * kind]];
const categoryOf = kind => timeline.titles[timeline.kinds[3 * kind + 1]];
const argumentsOf = kind => timeline.arguments[timeline.kinds[3 * kind + 2]];

/* What the parts of the page share: which rank and step are looked at. A part that shows them asks to be told. */
const chosen = { rank: 0, step: null, told: [] };

function choose(change) {
	Object.assign(chosen, change);
	for (const tell of chosen.told)
		tell(chosen);
}

function rankTitle(r) {
	const name = r.rank === null ? "process " + r.pid : "rank " + r.rank;
	return r.group ? name + " of " + r.group : name;
}
