/* theme.js - light or dark: as the system has it, until the button is pressed. In a frame nothing may be stored. */
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function stored(theme) {
	try {
		if (theme)
			localStorage.setItem("ranktrace-theme", theme);
		return localStorage.getItem("ranktrace-theme");
	} catch {
		return null;
	}
}

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	get("theme").textContent = theme === "dark" ? "Light" : "Dark";
	get("theme").setAttribute("aria-label", "Switch to " + (theme === "dark" ? "light" : "dark") + " colours");
	redraw();
}

function startTheme(asked) {
	setTheme(asked ?? stored() ?? (dark.matches ? "dark" : "light"));
	dark.addEventListener("change", () => { if (!stored()) setTheme(dark.matches ? "dark" : "light"); });
	get("theme").addEventListener("click", () => {
		const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
		stored(theme);
		setTheme(theme);
	});
	let before;
	window.addEventListener("beforeprint", () => {
		before = document.documentElement.dataset.theme;
		setTheme("light");
	});
	window.addEventListener("afterprint", () => setTheme(before));
}
