/* tables.js - the tables of `ranktrace report --format json`, which sort by a click on a column. */
const tableTitles = {
	steps: "Steps", stages: "Stages", kernels: "Kernels", host_times: "Time in calls", operators: "Operators by shapes", lines: "Lines of code", stacks: "Stacks", copies: "Copies", collectives: "Collectives", launch_to_start: "Launch to start",
	graphs: "Graphs", ranges: "Ranges", marks: "Marks", memory: "Memory", pools: "Allocators", failures: "Failed calls", device_ranks: "Ranks of devices", dropped_in: "Dropped in", entry_points: "Entry points",
	events: "Calls", lost: "Losses", libraries: "Libraries", facts: "Facts", outside_steps: "Outside of steps", fills: "Fills", time_sources: "Sources of device times", all_steps: "Steps of all ranks",
};
const opened = new Set(["steps", "kernels", "host_times", "copies", "collectives"]);
const unprinted = new Set(["facts", "entry_points", "libraries", "events", "outside_steps", "fills", "time_sources", "all_steps"]);
const tables = { shown: [], rowsMost: 100 };

/* {"h2d":{..}} as rows with a name, {"a":1} as rows of two columns, and objects in a row as columns of their own. */
function rowsOf(value) {
	if (Array.isArray(value))
		return value.map(row => row !== null && typeof row === "object" ? flat(row) : { value: row });
	const entries = Object.entries(value ?? {});
	const objects = entries.filter(([, v]) => v !== null && typeof v === "object" && !Array.isArray(v)), rest = entries.filter(([, v]) => v === null || typeof v !== "object");
	if (objects.length && rest.length)
		return [{ name: "all", ...Object.fromEntries(rest) }, ...objects.map(([name, v]) => ({ name, ...flat(v) }))];
	return objects.length ? objects.map(([name, v]) => ({ name, ...flat(v) })) : rest.map(([name, v]) => ({ name, value: v }));
}

function flat(row) {
	const made = {};
	for (const [name, value] of Object.entries(row)) {
		if (value !== null && typeof value === "object" && !Array.isArray(value))
			Object.assign(made, Object.fromEntries(Object.entries(value).map(([k, v]) => [name + "." + k, v])));
		else
			made[name] = Array.isArray(value) ? value.map(v => typeof v === "object" ? JSON.stringify(v) : v).join(", ") : value;
	}
	return made;
}

/* Times since 1970 say less than times since the first event. */
function cellText(name, value) {
	if (value === null || value === undefined)
		return "–";
	if (typeof value === "boolean")
		return value ? "yes" : "no";
	if (typeof value !== "number")
		return plain(String(value), 2000);
	if (name === "begin_ns")
		return duration(Math.max(0, value - Number(timeline.begin_ns)));
	if (/(^|_)ns$/.test(name))
		return duration(value);
	if (/(^|_|\.)bytes$/.test(name))
		return byteCount(value);
	return name === "share" ? (100 * value).toFixed(1) + " %" : name === "step" || name === "rank" || name === "stream" ? String(value) : number(value);
}

const headText = name => name.replace(/_ns$/, "").replaceAll("_", " ");

function compare(a, b) {
	if (a === b)
		return 0;
	if (a === null || a === undefined)
		return 1;
	if (b === null || b === undefined)
		return -1;
	return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

function sortTable(table, name) {
	table.down = table.by === name ? !table.down : typeof table.rows.find(row => row[name] !== null)?.[name] === "number";
	table.by = name;
	table.rows.sort((a, b) => (table.down ? -1 : 1) * compare(a[name], b[name]));
	fillTable(table);
}

function bodyRow(table, row) {
	const cells = table.columns.map(name => {
		const value = row[name], unit = name === "value" && row.name || name; /* of a row that is a name and a value */
		const td = element("td", { className: typeof value === "number" || value === null ? "number" : "text", textContent: cellText(unit, value) });
		if (typeof value === "number")
			td.dataset.value = value;
		if (typeof value === "number" || String(value).length > 40)
			td.title = plain(String(value), 2000);
		return td;
	});
	return element("tr", {}, ...cells);
}

function fillTable(table) {
	const wanted = get("filter").value.toLowerCase();
	const found = wanted ? table.rows.filter(row => table.columns.some(name => cellText(name, row[name]).toLowerCase().includes(wanted))) : table.rows;
	const shown = table.all ? found : found.slice(0, tables.rowsMost);
	table.body.replaceChildren(...shown.map(row => bodyRow(table, row)));
	table.heads.forEach((th, i) => th.setAttribute("aria-sort", table.columns[i] !== table.by ? "none" : table.down ? "descending" : "ascending"));
	table.count.textContent = found.length === table.rows.length ? number(found.length) : number(found.length) + " of " + number(table.rows.length);
	table.more.hidden = shown.length === found.length;
	table.more.textContent = "show all " + number(found.length);
	table.block.hidden = wanted !== "" && !found.length;
}

function makeTable(key, rowList) {
	const columns = [...new Set(rowList.flatMap(Object.keys))];
	const table = { key, rows: rowList, columns, body: element("tbody"), count: element("span"), more: element("button", { type: "button", className: "link" }) };
	table.heads = columns.map(name => {
		const button = element("button", { type: "button", textContent: headText(name) });
		button.addEventListener("click", () => sortTable(table, name));
		return element("th", { className: rowList.some(row => typeof row[name] === "number") ? "number" : "", scope: "col", "data-name": name }, button);
	});
	table.more.addEventListener("click", () => {
		table.all = true;
		fillTable(table);
	});
	const grid = element("table", {}, element("thead", {}, element("tr", {}, ...table.heads)), table.body);
	table.block = element("details", { className: "table", "data-table": key }, element("summary", {}, tableTitles[key] ?? headText(key), table.count), element("div", { className: "scroll" }, grid), table.more);
	table.block.open = opened.has(key);
	table.block.addEventListener("toggle", () => opened[table.block.open ? "add" : "delete"](key));
	fillTable(table);
	return table;
}

function tablesOf(process) {
	const known = Object.keys(tableTitles), keys = Object.keys(process).filter(key => process[key] !== null && typeof process[key] === "object");
	keys.sort((a, b) => (known.indexOf(a) + 1 || 99) - (known.indexOf(b) + 1 || 99));
	return keys.map(key => [key, rowsOf(process[key])]).filter(([, list]) => list.length).map(([key, list]) => makeTable(key, list));
}

function allStepsTable() {
	const row = step => Object.fromEntries(steps.columns.map((name, i) => [name === "begin_ns" ? "after_ns" : name, step[i]]));
	const list = steps.ranks.flatMap(r => r.steps.map(step => ({ rank: r.rank, ...row(step), by_device: valueOf(step, "by_device") === 1 })));
	list.sort((a, b) => b.e2e_ns - a.e2e_ns);
	return list.length && (steps.ranks.length > 1 || !report.ranks[0]?.steps) ? [makeTable("all_steps", list)] : [];
}

function showTables() {
	const process = report.ranks[chosen.rank], rank = steps.ranks[chosen.rank];
	tables.shown = [...(process ? tablesOf(process) : []), ...allStepsTable()];
	get("list").replaceChildren(...tables.shown.map(table => table.block));
	get("tables-of").textContent = !rank ? "" : process ? plain(rankTitle(rank)) + " on " + plain(rank.host ?? "an unknown host") : "of " + plain(rankTitle(rank)) + " the page has the steps alone; ranktrace report --ranks tells the rest";
}

function startTables() {
	let rank = null;
	chosen.told.push(() => {
		if (rank !== chosen.rank)
			showTables();
		rank = chosen.rank;
	});
	get("filter").addEventListener("input", () => tables.shown.forEach(fillTable));
	window.addEventListener("beforeprint", () => tables.shown.forEach(table => { table.block.open = !unprinted.has(table.key); }));
}
