/* search.js - slices by name: how many, how long, and one after the other. */
function matchesOf(text) {
	const wanted = text.toLowerCase(), titles = timeline.titles.map(title => title.toLowerCase().includes(wanted));
	const kinds = new Uint8Array(timeline.kinds.length / 3).map((_, kind) => titles[timeline.kinds[3 * kind]] ? 1 : 0);
	let count = 0, time = 0;
	for (const row of rows) {
		const slices = row.level(0);
		for (let i = 0; i < slices.count; i++)
			if (kinds[slices.kind[i]]) {
				count += slices.many[i];
				time += slices.end[i] - slices.begin[i];
			}
	}
	return { text, kinds, count, time };
}

/* By begin, and of one begin by row: the next behind a place, or before it. */
function nextMatch(kinds, from, by) {
	let best = null;
	const before = (a, b) => a.time < b.time || a.time === b.time && a.row.number < b.row.number;
	for (const row of rows) {
		const slices = row.level(0);
		let i = firstWhere(slices.count, k => by > 0 ? slices.begin[k] >= from.time : slices.begin[k] > from.time) - (by > 0 ? 0 : 1);
		for (; i >= 0 && i < slices.count; i += by) {
			const found = { row, slices, i, time: slices.begin[i] };
			if (!kinds[slices.kind[i]] || !(by > 0 ? before(from, found) : before(found, from)))
				continue;
			if (!best || (by > 0 ? before(found, best) : before(best, found)))
				best = found;
			break;
		}
	}
	return best;
}

function search() {
	const text = get("search").value, m = text ? matchesOf(text) : null;
	view.matches = m?.count ? m : null;
	get("found").textContent = !m ? "" : m.count ? plural(m.count, "slice") + ", " + duration(m.time) + " in all" : "none";
	drawSoon();
}

function goToMatch(by) {
	if (!view.matches || view.matches.text !== get("search").value)
		search();
	if (!view.matches)
		return;
	const picked = view.picked, from = picked ? { time: picked.slices.begin[picked.i], row: picked.row } : { time: by > 0 ? view.begin : view.end, row: { number: -1 } };
	const found = nextMatch(view.matches.kinds, from, by) ?? nextMatch(view.matches.kinds, { time: by > 0 ? -Infinity : Infinity, row: { number: -1 } }, by);
	if (found)
		showSlice(found);
}

function startSearch() {
	let later;
	get("search").addEventListener("input", () => {
		clearTimeout(later);
		later = setTimeout(search, 120);
	});
	get("search").addEventListener("keydown", event => {
		if (event.key === "Enter")
			goToMatch(event.shiftKey ? -1 : 1);
	});
	get("next").addEventListener("click", () => goToMatch(1));
	get("previous").addEventListener("click", () => goToMatch(-1));
	document.addEventListener("keydown", event => {
		if (event.key !== "/" || /INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName))
			return;
		event.preventDefault();
		get("search").focus();
	});
}
