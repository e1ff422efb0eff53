// Holds the word diff of a twin against its base: longest shared stretch first, then both sides of it.

const MOST_TOKENS = 2000;
const tokens = (text) => {
  const found = text.match(/(?:[\p{L}\p{M}\p{N}_]+(?:['’-][\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_])\s*|\s+/gu) ?? [];
  return found.length <= MOST_TOKENS ? found : [...found.slice(0, MOST_TOKENS), found.slice(MOST_TOKENS).join("")];
};

const longestShared = (old, places, [i1, i2, j1, j2]) => {
  let best = { i: i1, j: j1, size: 0 };
  let lengths = new Map();
  for (let i = i1; i < i2; i += 1) {
    const next = new Map();
    for (const j of places.get(old[i]) ?? []) {
      if (j < j1 || j >= j2) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { i: i - size + 1, j: j - size + 1, size };
    }
    lengths = next;
  }
  return best;
};

// Returns [kind, text] runs; kind is same, gone or new.
const wordDiff = (base, twin) => {
  const [oldTokens, newTokens] = [tokens(base), tokens(twin)];
  const [old, fresh] = [oldTokens.map((t) => t.trimEnd()), newTokens.map((t) => t.trimEnd())];
  const places = new Map();
  fresh.forEach((token, j) => places.set(token, [...(places.get(token) ?? []), j]));
  const runs = [];
  const add = (kind, text) => {
    if (!text) return;
    if (runs.at(-1)?.[0] === kind) runs.at(-1)[1] += text;
    else runs.push([kind, text]);
  };
  const queue = [[0, old.length, 0, fresh.length]];
  const shared = [];
  while (queue.length) {
    const [i1, i2, j1, j2] = queue.pop();
    const { i, j, size } = longestShared(old, places, [i1, i2, j1, j2]);
    if (!size) continue;
    shared.push([i, j, size]);
    queue.push([i1, i, j1, j], [i + size, i2, j + size, j2]);
  }
  shared.sort((one, other) => one[0] - other[0]);
  let [atOld, atNew] = [0, 0];
  for (const [i, j, size] of [...shared, [old.length, fresh.length, 0]]) {
    const isReplaced = atOld < i && atNew < j;
    const by = !isReplaced && size && (startsLate(old, atOld, i) || startsLate(fresh, atNew, j)) ? 1 : 0;
    add("same", (atOld === i ? newTokens.slice(atNew, atNew + by) : newTokens.slice(j, j + by)).join(""));
    add("gone", atOld < i ? oldTokens.slice(atOld + by, i + by).join("") : "");
    add("new", atNew < j ? newTokens.slice(atNew + by, j + by).join("") : "");
    add("same", newTokens.slice(j + by, j + size).join(""));
    [atOld, atNew] = [i + size, j + size];
  }
  return runs;
};

// A change that opens with the full stop of the sentence before it could as well end with its own.
const startsLate = (words, from, to) => from < to && ".!?؟。".includes(words[from]) && words[from] === words[to];

// No mark covers the white space after its words.
const MARKS = { gone: "del", new: "ins", same: "span" };
const marked = (base, twin) =>
  el(
    "p",
    { class: "words", dir: direction(twin) },
    ...wordDiff(base, twin).flatMap(([kind, text], at, runs) => {
      const words = text.trimEnd();
      const isBeside = kind === "new" && runs[at - 1]?.[0] === "gone" && !/\s$/.test(runs[at - 1][1]);
      return [el(MARKS[kind], { class: isBeside && "beside" }, words), text.slice(words.length)];
    }),
  );
