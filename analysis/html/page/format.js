/* format.js - figures and names as people read them. */
const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];

function duration(ns) {
	for (const [size, unit] of units)
		if (Math.abs(ns) >= size)
			return (ns / size).toLocaleString("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 }) + " " + unit;
	return ns + " ns";
}

/* Of an axis, where all have one unit: step is the distance of two marks. */
function durationMark(ns, step) {
	const [size, unit] = units.find(u => step >= u[0]) ?? units.find(u => step * 1000 >= u[0] && u[0] > 1) ?? [1, "ns"];
	const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
	return (ns / size + 0).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) + " " + unit;
}

function byteCount(n) {
	const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
	let i = 0;
	for (; Math.abs(n) >= 1024 && i < names.length - 1; i++)
		n /= 1024;
	return (i ? n.toFixed(n < 10 ? 2 : 1) : n) + " " + names[i];
}

const number = n => n.toLocaleString("en", { maximumFractionDigits: 6 });
const plural = (n, word) => number(n) + " " + word + (n === 1 ? "" : "s");

/* A name from a trace may be anything: no control characters, none that turn the line around, and no longer than can be read. */
function plain(text, most = 400) {
	const cut = text.length > most ? text.slice(0, most - 1) + "…" : text;
	return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ").replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g, "");
}

/* The same for a canvas, which has no element to isolate it. */
const isolated = (text, most) => "\u2068" + plain(text, most) + "\u2069";

/* 1, 2 or 5 times a power of ten, at least so much. */
function roundStep(least) {
	const ten = 10 ** Math.floor(Math.log10(least));
	return ten * [1, 2, 5, 10].find(n => n * ten >= least * 0.999999);
}

const middle = list => list.length ? [...list].sort((a, b) => a - b)[list.length >> 1] : 0;
const clamp = (n, low, high) => Math.min(Math.max(n, low), high);

/* Number of the first for which it holds, of some where it holds from one on. */
function firstWhere(count, holds) {
	let low = 0, high = count;
	while (low < high) {
		const at = low + high >> 1;
		if (holds(at))
			high = at;
		else
			low = at + 1;
	}
	return low;
}
