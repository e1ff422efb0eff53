const pairs = [...document.querySelectorAll("article")];
const place = `review-${document.body.dataset.sheet}`;

function entered(pair) {
  return {
    verdict: pair.querySelector("input[type=radio]:checked")?.value ?? "",
    note: pair.querySelector(".note input").value,
  };
}

function remembered() {
  try { return JSON.parse(localStorage.getItem(place)) ?? {}; } catch { return {}; }
}

function remember() {
  const all = Object.fromEntries(pairs.map((pair) => [pair.dataset.twin, entered(pair)]));
  try { localStorage.setItem(place, JSON.stringify(all)); } catch { /* A browser without storage still saves the CSV. */ }
}

function show() {
  let done = 0;
  for (const pair of pairs) {
    const isDone = entered(pair).verdict !== "";
    pair.classList.toggle("done", isDone);
    done += isDone ? 1 : 0;
  }
  document.getElementById("count").value = `${done} of ${pairs.length}`;
}

function cell(text) {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

function save() {
  const rows = pairs.map((pair) => {
    const { verdict, note } = entered(pair);
    return [pair.dataset.twin, verdict, note, pair.dataset.hash].map(cell).join(",");
  });
  const text = ["twin_id,verdict,note,text_hash", ...rows, ""].join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `review-${document.body.dataset.suite}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const before = remembered();
for (const pair of pairs) {
  const { verdict = "", note = "" } = before[pair.dataset.twin] ?? {};
  for (const choice of pair.querySelectorAll("input[type=radio]")) choice.checked = choice.value === verdict;
  pair.querySelector(".note input").value = note;
}
document.addEventListener("input", () => { remember(); show(); });
document.getElementById("save").addEventListener("click", save);
show();
