/* elements.js - elements, canvases and the tip beside the mouse. Texts become text nodes, never markup. */
const get = id => document.getElementById(id);

function element(tag, properties = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name in made && typeof value !== "string" || ["className", "textContent", "title", "value", "type"].includes(name))
			made[name] = value;
		else
			made.setAttribute(name, value);
	}
	made.append(...children.filter(child => child !== null));
	return made;
}

/* A canvas as large as it is shown, in the pixels of the screen. Returns what to draw with, in CSS pixels. */
function canvasOf(canvas, height) {
	const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || canvas.parentElement.clientWidth || 800;
	if (height)
		canvas.style.height = height + "px";
	else
		height = canvas.clientHeight || 100;
	if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
	}
	const g = canvas.getContext("2d");
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.clearRect(0, 0, width, height);
	g.font = "11px system-ui, sans-serif";
	g.textBaseline = "middle";
	return { g, width, height };
}

/* Colours stand in page.css; they are looked up once a theme. */
let colours = {};
const colour = name => colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

function showTip(event, title, lines) {
	const tip = get("tip");
	tip.replaceChildren(element("b", { textContent: plain(title, 200) }), lines.map(line => "\n" + plain(line, 300)).join(""));
	tip.hidden = false;
	const box = tip.getBoundingClientRect();
	const left = event.clientX + 14 + box.width > innerWidth ? event.clientX - box.width - 10 : event.clientX + 14;
	const top = event.clientY + 16 + box.height > innerHeight ? event.clientY - box.height - 10 : event.clientY + 16;
	tip.style.left = Math.max(2, left) + "px";
	tip.style.top = Math.max(2, top) + "px";
}

const hideTip = () => { get("tip").hidden = true; };

/* Text of what is drawn is cut to its room: a letter has about 6 pixels. */
function labelIn(g, text, x, y, room) {
	const most = Math.floor(room / 5);
	if (most < 3)
		return;
	let shown = isolated(text, most);
	for (let cut = most; cut > 3 && g.measureText(shown).width > room; cut = Math.floor(cut * 0.85))
		shown = isolated(text, cut);
	if (g.measureText(shown).width <= room + 2)
		g.fillText(shown, x, y);
}

const drawers = [];

/* All that is drawn, drawn anew: another size, another theme. */
function redraw() {
	colours = {};
	for (const draw of drawers)
		draw();
}
