// Holds the table of items: filter, sort, draw the first rows. Opening an item is a link to its fragment.

const STEP = 60;
// Characters of a problem that its row can show; the search looks through more.
const SNIPPET = 160;
const OUTCOMES = {
  all: ["every item", () => true],
  broke: ["broke at least once", (of, row) => of.k[row] > 0 && of.solvable[row]],
  held: ["never broke", (of, row) => of.k[row] === 0 && of.n[row] > 0 && of.solvable[row]],
  unsolved: ["not solvable", (of, row) => of.solvable[row] === false],
  lost: ["a reply had no answer", (of, row) => of.lost[row] > 0],
  unasked: ["not answered yet", (of, row) => of.solvable[row] === null],
};
const state = { solver: 0, query: "", category: "", outcome: "all", key: "pi", descending: true, shown: STEP };

// Natural order: a run of digits compares as a number. A language's own collation takes a fifth of a second here.
const natural = (text) => text.normalize("NFKD").toLowerCase().replace(/\d+/g, (digits) => digits.padStart(16, "0"));
const inOrder = (texts) => {
  const keys = new Map(texts.map((text) => [text, natural(text)]));
  return [...keys.keys()].sort((one, other) => (keys.get(one) < keys.get(other) ? -1 : keys.get(one) > keys.get(other) ? 1 : 0));
};
const noSolver = { name: "", pi: [], low: [], high: [], n: [], k: [], y: [], a: [], b: [], crd: [], solvable: [], lost: [] };
const chosen = () => index.solvers[state.solver] ?? noSolver;
const values = (key) => chosen()[key] ?? index[key];

let searched = null;
const matching = () => {
  searched ??= index.id.map((id, row) => `${id}\n${index.text[row]}`.toLowerCase());
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const of = chosen();
  const isWanted = OUTCOMES[state.outcome][1];
  return index.id
    .map((_, row) => row)
    .filter(
      (row) =>
        (!state.category || index.category[row] === state.category) &&
        (state.outcome === "all" || isWanted(of, row)) &&
        words.every((word) => searched[row].includes(word)),
    );
};

// Names compare by their rank, found once.
const ranks = {};
const sortable = (key) => {
  const column = values(key);
  if (typeof column[0] !== "string") return column;
  if (!ranks[key]) {
    const order = new Map(inOrder(column).map((text, at) => [text, at]));
    ranks[key] = column.map((text) => order.get(text));
  }
  return ranks[key];
};

const sorted = (rows) => {
  const column = sortable(state.key);
  const sign = state.descending ? -1 : 1;
  const n = values("n");
  return rows.sort((one, other) => {
    const [x, y] = [column[one] ?? null, column[other] ?? null];
    // What has no value comes last, whichever way the column is sorted.
    if (x === null || y === null) return (x === null) - (y === null) || one - other;
    return sign * (x - y) || (n[other] ?? 0) - (n[one] ?? 0) || one - other;
  });
};

const cells = {
  item: (row) =>
    el(
      "th",
      { scope: "row", class: "name" },
      el("a", { href: fragment(row, state.solver) }, el("bdi", {}, index.id[row])),
      foreign("span", index.text[row].slice(0, SNIPPET), { class: "snippet" }),
    ),
  interval: (row) => {
    const of = chosen();
    const [value, low, high] = [of.pi[row] ?? null, of.low[row] ?? null, of.high[row] ?? null];
    return el(
      "td",
      { class: "pi" },
      bar(value, low, high),
      el("span", { class: "pi-value" }, write.share(value)),
      el("span", { class: "pi-interval" }, interval(low, high)),
    );
  },
};

// A row is made once for each solver, and only moved when the order changes.
const drawn = new Map();
const rowOf = (row) => {
  const key = `${state.solver}/${row}`;
  if (!drawn.has(key)) drawn.set(key, drawRow(row));
  return drawn.get(key);
};

const drawRow = (row) =>
  el(
    "tr",
    { "data-row": row },
    ...index.columns.map(({ key, form }) => {
      if (cells[form]) return cells[form](row);
      const text = write[form](values(key)[row] ?? null);
      return el("td", { class: form === "text" ? "text" : "number", "data-key": key, dir: form === "text" && direction(text) }, text);
    }),
  );

let listed = [];
const draw = () => {
  listed = sorted(matching());
  const body = el("tbody", {}, ...listed.slice(0, state.shown).map(rowOf));
  const table = document.getElementById("table");
  if (table.tBodies.length) table.tBodies[0].replaceWith(body);
  else table.append(body);
  const left = listed.length - state.shown;
  document.getElementById("found").textContent =
    `${grouped.format(listed.length)} of ${plural(index.id.length, "item")}` + (left > 0 ? `, the first ${state.shown} shown` : "");
  document.getElementById("more").hidden = left <= 0;
  for (const head of document.querySelectorAll("#table th[data-key]")) {
    const isSorted = head.dataset.key === state.key;
    head.ariaSort = isSorted ? (state.descending ? "descending" : "ascending") : null;
  }
};

const sortBy = (key) => {
  // Numbers start with the largest, names with the first.
  state.descending = state.key === key ? !state.descending : !["id", "category"].includes(key);
  Object.assign(state, { key, shown: STEP });
  draw();
};

const header = () =>
  el(
    "thead",
    {},
    el(
      "tr",
      {},
      ...index.columns.map(({ key, name, unit, form, hint }) => {
        const button = el("button", { type: "button", title: hint }, name, unit ? el("span", { class: "unit" }, unit) : null);
        button.addEventListener("click", () => sortBy(key));
        const kind = { item: "name", text: "text", interval: "pi" }[form] ?? "number";
        return el("th", { scope: "col", class: kind, "data-key": key }, button);
      }),
    ),
  );

const select = (label, options, name, asValue = (value) => value) => {
  const menu = el("select", { "data-name": name }, ...options.map(([value, text]) => el("option", { value }, text)));
  menu.addEventListener("change", () => {
    Object.assign(state, { [name]: asValue(menu.value), shown: STEP });
    draw();
  });
  return el("label", {}, el("span", {}, label), menu);
};

const filters = () => {
  const form = document.getElementById("filters");
  const search = el("input", { type: "search", placeholder: "words or id", autocomplete: "off" });
  search.addEventListener("input", () => {
    Object.assign(state, { query: search.value, shown: STEP });
    draw();
  });
  form.append(el("label", { class: "search" }, el("span", {}, "Find"), search));
  const categories = inOrder(index.category);
  if (categories.length > 1) {
    form.append(select("Category", [["", "all"], ...categories.map((category) => [category, category])], "category"));
  }
  form.append(select("Outcome", Object.entries(OUTCOMES).map(([key, [text]]) => [key, text]), "outcome"));
  if (index.solvers.length > 1) {
    const names = index.solvers.map(({ name, isSimulated }, at) => [at, isSimulated ? `${name} (simulated)` : name]);
    form.append(select("Solver", names, "solver", Number));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
};

// An item's link may name another solver than the table shows.
const chooseSolver = (solver) => {
  if (solver === state.solver) return;
  state.solver = solver;
  const menu = document.querySelector("#filters [data-name=solver]");
  if (menu) menu.value = String(solver);
  draw();
};

if (index) {
  document.getElementById("browser").hidden = false;
  document.getElementById("table").append(header());
  filters();
  draw();
  document.getElementById("more").addEventListener("click", () => {
    state.shown += STEP;
    draw();
  });
  document.getElementById("table").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-row]");
    const isSelecting = () => getSelection().type === "Range";
    if (row && !event.target.closest("a") && !isSelecting()) location.hash = fragment(Number(row.dataset.row), state.solver);
  });
}
