// The viewport of this window: how wide rows are here, how large their text is, how fine the screen.

const key = "interviewkit.textSize";

/** Sizes to choose from, as factors. */
export const textSizes = [0.85, 1, 1.15, 1.3, 1.5, 1.75, 2];

/** The browser's own text size times what was chosen here. */
export function fontScale() {
  const root = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return Math.min(4, Math.max(0.5, Math.round(root * chosenTextSize() * 100) / 100));
}

export function chosenTextSize() { return Number(localStorage.getItem(key)) || 1; }

export function chooseTextSize(factor) { localStorage.setItem(key, String(factor)); }

let fineness;

/** Whether this browser rounds lines to the screen's pixels; others round to CSS pixels, however fine the screen. */
function roundsFinely() {
  if (fineness === undefined) {
    const probe = document.createElement("div");
    probe.className = "probe";
    for (let size = 10; size < 30; size++) {
      const line = document.createElement("div");
      line.style.fontSize = `${size}px`;
      line.textContent = "x";
      probe.append(line);
    }
    document.body.append(probe);
    fineness = [...probe.children].some((line) => line.getBoundingClientRect().height % 1 > 0.01);
    probe.remove();
  }
  return fineness;
}

/** The pixels in a unit, by which this browser rounds heights. */
export function pixelScale() { return roundsFinely() ? Math.min(10, Math.max(0.1, devicePixelRatio || 1)) : 1; }

/** What a layout is asked for: the rows' width is the column's without the room beside them. */
export function viewportOf(column, profile = "web") {
  const gutter = parseFloat(getComputedStyle(column).getPropertyValue("--gutter")) || 0;
  const scale = pixelScale();
  const width = Math.floor((column.getBoundingClientRect().width - gutter) * scale) / scale;
  return { profile, width, scale, fontScale: fontScale() };
}

/** As the service takes it. */
export function queryOf(viewport) {
  return Object.entries(viewport).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

/** Calls back when the column's width, the text size or the screen changed, and has come to rest. */
export function watchViewport(column, changed) {
  let timer;
  let last = queryOf(viewportOf(column));
  const check = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = queryOf(viewportOf(column));
      if (now === last || column.getBoundingClientRect().width === 0) return;
      last = now;
      changed();
    }, 120);
  };
  const observer = new ResizeObserver(check);
  observer.observe(column);
  addEventListener("resize", check);
  addEventListener("interviewkit-textsize", check);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    removeEventListener("resize", check);
    removeEventListener("interviewkit-textsize", check);
  };
}
