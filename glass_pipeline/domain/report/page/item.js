// Holds the view of one item: base, runs, every twin with its changes, outputs on demand.

const GROUPS = [
  ["broke", "Broke", "the base was solved, this wording was not"],
  ["kept", "Kept", "both were solved"],
  ["repaired", "Repaired", "the base was not solved in its run, this wording was"],
  ["never", "Never solved", "neither was solved"],
];
const dialog = document.getElementById("item");

const score = (label) => (label.samples === undefined ? "" : `${label.correct} of ${label.samples} right`);

// The outputs of one label, read when the fold is first opened.
const outputs = (row, key, label) => {
  const fold = el("details", { class: "fold" }, el("summary", {}, plural(label.statuses?.length ?? 0, "output")));
  fold.addEventListener(
    "toggle",
    async () => {
      const parts = await Promise.all([unpack(`broken-${row}`), unpack(`other-${row}`)]);
      const texts = parts.map((part) => part?.[key]).find(Boolean);
      fold.append(texts ? samples(label, texts) : el("p", { class: "missing" }, "Left out to keep this page small; the tables base_labels and solver_labels hold every output."));
    },
    { once: true },
  );
  return fold;
};

const samples = (label, texts) =>
  el(
    "ol",
    { class: "samples" },
    ...texts.map((text, at) => {
      const status = label.statuses[at] ?? "";
      const answer = label.answers[at] ?? null;
      const found = answer === null ? el("span", {}, "no answer") : el("span", {}, foreign("b", answer), ` found by ${label.rules[at] ?? "no rule"}`);
      return el("li", {}, el("p", { class: "found-by" }, found, status === "ok" ? null : el("span", { class: "status" }, ` ${status}`)), foreign("p", text, { class: "output" }));
    }),
  );

const answer = (label) => el("span", { class: "answer" }, foreign("b", label.answer ?? "no answer"), ` ${score(label)}`);

const runRow = (row, run) =>
  el(
    "li",
    {},
    el("span", { class: `mark ${run.y ? "kept" : "broke"}` }, run.y ? "✓" : "✗"),
    ` run m${run.dose}: `,
    answer(run),
    outputs(row, `base/${run.solver}/${run.dose}`, run),
  );

const verdicts = (audit) => {
  if (!audit) return el("p", { class: "audit" }, "audit: no record on this page");
  const said = [audit.keep ? "kept" : `dropped: ${audit.reasons.join(", ")}`, ...audit.flags];
  const judges = audit.verdicts.map(([judge, verdict, reason]) =>
    el("li", {}, `${judge}: ${verdict}`, reason ? foreign("span", ` ${reason}`) : null),
  );
  return el("div", { class: "audit" }, `audit: ${said.join("; ")}`, judges.length ? el("ul", {}, ...judges) : null);
};

const twinCard = (row, core, number, solver) => {
  const twin = core.twins[number];
  const label = twin.by[solver] ?? { outcome: "unasked" };
  const size = twin.size ? `, ${plural(twin.size, "sentence")}` : "";
  const others = Object.entries(twin.by).filter(([name]) => name !== solver);
  return el(
    "article",
    { class: `twin ${label.outcome}` },
    el("p", { class: "label" }, `${twin.family}${size}, dose ${twin.doses.join(", ")}`, el("span", { class: "twin-id" }, el("bdi", {}, twin.id))),
    marked(core.text, twin.text),
    label.samples === undefined ? null : el("p", { class: "result" }, answer(label)),
    label.why ? foreign("p", label.why, { class: "why" }) : null,
    others.length ? el("p", { class: "others" }, others.map(([name, other]) => `${name}: ${other.outcome}`).join("; ")) : null,
    verdicts(twin.audit),
    label.statuses ? outputs(row, `${number}/${solver}`, label) : null,
  );
};

const group = (row, core, solver, [outcome, name, meaning]) => {
  const numbers = core.twins.map((_, number) => number).filter((number) => core.twins[number].by[solver]?.outcome === outcome);
  if (!numbers.length) return null;
  return el(
    "section",
    {},
    el("h4", {}, `${name}: ${grouped.format(numbers.length)}`, el("span", { class: "unit" }, ` ${meaning}`)),
    ...numbers.map((number) => twinCard(row, core, number, solver)),
  );
};

const facts = (row, core, of) => {
  const pairs = [
    ["gold", foreign("b", core.gold)],
    ["π, 90 % interval", el("span", {}, bar(of.pi[row] ?? null, of.low[row] ?? null, of.high[row] ?? null), write.share(of.pi[row] ?? null), el("span", { class: "unit" }, ` ${interval(of.low[row] ?? null, of.high[row] ?? null)}`))],
    ["breaks / twins", `${write.count(of.k[row] ?? null)} / ${write.count(of.n[row] ?? null)}`],
    ["Ȳ", write.share(of.y[row] ?? null)],
    ["a", write.signed(of.a[row] ?? null)],
    ["b", write.signed(of.b[row] ?? null)],
    ["C", write.plain(index.c[row])],
    ["CRD", write.signed(of.crd[row] ?? null)],
    ["category", foreign("span", index.category[row])],
    ["level", core.level],
  ];
  return el(
    "dl",
    { class: "item-facts" },
    ...pairs.filter(([, value]) => value !== null).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, typeof value === "number" ? String(value) : value))),
  );
};

const step = (row, by) => {
  const at = listed.indexOf(row);
  const next = at < 0 ? undefined : listed[at + by];
  return el("a", { class: "step", href: next === undefined ? null : fragment(next, state.solver), "aria-disabled": next === undefined && "true" }, by < 0 ? "‹ previous" : "next ›");
};

const copyButton = () => {
  const button = el("button", { type: "button" }, "copy link");
  button.addEventListener("click", async () => {
    const link = location.href;
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "copied";
    } catch {
      button.replaceWith(el("input", { class: "link", readonly: true, value: link, "aria-label": "link to this item" }));
    }
  });
  return button;
};

const solverMenu = (row, solver) => {
  if (index.solvers.length < 2) return null;
  const menu = el("select", { "aria-label": "Solver" }, ...index.solvers.map(({ name }, at) => el("option", { value: at, selected: at === solver }, name)));
  menu.addEventListener("change", () => location.replace(fragment(row, Number(menu.value))));
  return menu;
};

const frame = (title, tools, ...content) => {
  const close = el("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    el("header", {}, el("h3", { id: "item-title", tabindex: "-1" }, el("bdi", {}, title)), ...tools, close),
    el("div", { class: "item-body" }, ...content),
  );
};

const show = async (row, solver) => {
  const core = await unpack(`core-${row}`);
  const of = index.solvers[solver] ?? noSolver;
  const runs = core.runs.filter((run) => run.solver === of.name);
  const unasked = core.twins.filter((twin) => !twin.by[of.name]).length;
  frame(
    index.id[row],
    [solverMenu(row, solver), copyButton(), step(row, -1), step(row, 1)],
    of.isSimulated ? el("p", { class: "missing" }, `The answers of ${of.name} are a simulation.`) : null,
    facts(row, core, of),
    el("h4", {}, "Original"),
    foreign("p", core.text, { class: "words" }),
    core.solution ? el("details", { class: "fold" }, el("summary", {}, "reference solution"), foreign("p", core.solution, { class: "output" })) : null,
    runs.length ? el("ul", { class: "runs" }, ...runs.map((run) => runRow(row, run))) : el("p", { class: "missing" }, "No run has solved or failed this item yet."),
    ...GROUPS.map((entry) => group(row, core, of.name, entry)),
    unasked ? el("p", { class: "missing" }, `${plural(unasked, "twin")} of other solvers not answered by ${of.name}.`) : null,
  );
};

const route = async () => {
  const parts = location.hash.split("/");
  if (!index || parts[0] !== "#item") return dialog.open && dialog.close();
  let [id, name] = ["", ""];
  try {
    [id, name] = parts.slice(1, 3).map(decodeURIComponent);
  } catch {
    id = parts[1];
  }
  const row = index.rawId.indexOf(id);
  const solver = Math.max(0, index.solvers.findIndex((one) => one.name === name));
  chooseSolver(solver);
  if (row < 0) frame("No such item", [], el("p", { class: "missing" }, "This page holds no item ", el("b", {}, id), "."));
  else await show(row, solver);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  document.getElementById("item-title").focus();
};

dialog.addEventListener("close", () => {
  if (location.hash.startsWith("#item/")) history.replaceState(null, "", "#items");
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
addEventListener("hashchange", route);
route();
