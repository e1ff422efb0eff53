// Holds the makers of elements. Foreign text enters only as text nodes; never as markup.

const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
};

// The direction most letters run in: the first letter alone would turn an English sentence that opens with an Arabic name.
const direction = (text) => {
  const head = text.slice(0, 1000);
  const turned = head.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0;
  return 2 * turned > (head.match(/\p{L}/gu)?.length ?? 0) ? "rtl" : "ltr";
};

// Text of a data set or a model.
const foreign = (tag, text, attributes = {}) => el(tag, { dir: direction(text), ...attributes }, text);

const NONE = "—";
const grouped = new Intl.NumberFormat("en-US");
const fixed = (value, digits) => value.toFixed(digits).replace("-", "\u2212");

const write = {
  count: (value) => (value === null ? NONE : grouped.format(value)),
  share: (value) => (value === null ? NONE : fixed(value, 2)),
  plain: (value) => (value === null ? NONE : fixed(value, Number.isInteger(value) ? 0 : 2)),
  signed: (value) => (value === null ? NONE : fixed(value, 2)),
  text: (value) => value ?? NONE,
};

const interval = (low, high) => (low === null || high === null ? "" : `${fixed(low, 2)}–${fixed(high, 2)}`);

// A bar from 0 to 1: the interval as a band, the value as a tick.
const bar = (value, low, high) => {
  const track = el("span", { class: "bar", "aria-hidden": "true" });
  if (value === null) return track;
  if (low !== null && high !== null) {
    const band = el("span", { class: "bar-band" });
    band.style.insetInlineStart = `${100 * low}%`;
    band.style.inlineSize = `${100 * Math.max(high - low, 0.01)}%`;
    track.append(band);
  }
  const tick = el("span", { class: "bar-tick" });
  tick.style.insetInlineStart = `${100 * value}%`;
  track.append(tick);
  return track;
};

const plural = (n, noun) => `${grouped.format(n)} ${noun}${n === 1 ? "" : "s"}`;

const index = document.getElementById("index") && JSON.parse(document.getElementById("index").textContent);

const escapeId = (id) =>
  encodeURIComponent(id).replace(/[.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const fragment = (row, solver) => `#item/${escapeId(index.rawId[row])}/${escapeId(index.solvers[solver]?.name ?? "")}`;

// Reads one compressed block of the page; null where the page does not carry it.
const unpack = async (id) => {
  const holder = document.getElementById(id);
  if (!holder) return null;
  const bytes = Uint8Array.from(atob(holder.textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};
