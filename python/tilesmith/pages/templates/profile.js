// The timeline of a launch. Rows are pipes of the shown blocks and pieces of memory; a row is sorted columns of begins and ends.
// Where more bars than pixels are in view, a row is drawn as the share of each pixel's time it was busy.
const DATA = JSON.parse(document.getElementById("data").textContent);
const LEFT = 168, ROW = 18, HEAD = 22, AXIS = 24;
const stages = new Map();
window.tilesmith = { stages, painted: null };

async function column(text, differences) {
  const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const bytes = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
  const count = bytes.length / 4, words = new Uint32Array(count);
  for (let i = 0; i < count; ++i) words[i] = bytes[i] | bytes[count + i] << 8 | bytes[2 * count + i] << 16 | bytes[3 * count + i] << 24;
  if (differences) for (let i = 1; i < count; ++i) words[i] += words[i - 1];
  return words;
}

const lower = (array, value, from = 0) => { // the first index whose element is not below the value
  let low = from, high = array.length;
  while (low < high) { const middle = low + high >> 1; if (array[middle] < value) low = middle + 1; else high = middle; }
  return low;
};

class Row {
  constructor(label, colour, begin, end, kind) {
    Object.assign(this, { label, colour, begin, end, kind });
    this.solid = new Float64Array(begin.length); // where a bar is the newest of its row
    this.before = new Float64Array(begin.length + 1); // busy time before a bar
    let last = 0;
    for (let i = 0; i < begin.length; ++i) {
      this.solid[i] = Math.max(begin[i], last);
      last = Math.max(last, end[i]);
      this.before[i + 1] = this.before[i] + Math.max(end[i] - this.solid[i], 0);
    }
    this.matching = null;
  }
  // Busy time before t, of all bars or of those that match.
  busy(t, sums = this.before) {
    const i = lower(this.solid, t) - 1;
    if (i < 0) return 0;
    const part = sums[i + 1] - sums[i];
    return sums[i] + (part > 0 ? Math.min(Math.max(t - this.solid[i], 0), part) : 0);
  }
  match(wanted) {
    if (!wanted) { this.matching = null; return 0; }
    const sums = new Float64Array(this.begin.length + 1);
    let count = 0;
    for (let i = 0; i < this.begin.length; ++i) {
      const fits = wanted[this.kind[i]];
      count += fits;
      sums[i + 1] = sums[i] + (fits ? this.before[i + 1] - this.before[i] : 0);
    }
    this.matching = sums;
    return count;
  }
  at(t) {
    const i = lower(this.solid, t + 1e-9) - 1;
    return i >= 0 && t <= this.end[i] ? i : -1;
  }
}

class Stage {
  constructor(section, launch) {
    this.section = section;
    this.launch = launch;
    this.source = launch.timeline.same === undefined ? launch : DATA.launches[launch.timeline.same];
    this.canvas = section.querySelector("canvas.timeline");
    this.tip = section.querySelector(".tip");
    this.detail = section.querySelector(".detail");
    this.arrows = section.querySelector(".arrows");
    this.view = [0, launch.cycles];
    this.wanted = null;
    this.chosen = null;
  }

  async load() {
    const { timeline, coresOfBlock, places } = this.source, names = DATA.names;
    this.kinds = timeline.kinds.map(([core, pipe, instruction, place, dtype, array, amount]) => ({
      core, pipe, place, amount, instruction: names.instructions[instruction], dtype: names.dtypes[dtype], array: this.source.arrays[array] ?? "",
      moves: ["MTE1", "MTE2", "MTE3", "FIX"].includes(names.pipes[pipe]), line: this.lineOf(place),
    }));
    for (const kind of this.kinds)
      kind.words = `${kind.instruction} ${kind.array} ${kind.dtype} ${kind.line} ${names.pipes[kind.pipe]}`.toLowerCase();
    this.layout = []; // {y, height, row | title}
    let y = AXIS;
    const title = text => { this.layout.push({ y, height: HEAD, title: text }); y += HEAD; };
    this.blocks = [];
    for (const block of timeline.blocks) {
      const [begin, length, kind] = await Promise.all([column(block.begin, true), column(block.length), column(block.kind)]);
      title(`block ${block.block}  (${block.why})`);
      const lanes = new Map();
      for (let i = 0; i < begin.length; ++i) {
        const { core, pipe } = this.kinds[kind[i]], lane = core * 16 + pipe;
        if (!lanes.has(lane)) lanes.set(lane, []);
        lanes.get(lane).push(i);
      }
      const rows = new Map();
      const rank = lane => (lane >> 4) * 16 + DATA.order.indexOf(names.pipes[lane % 16]);
      for (const lane of [...lanes.keys()].sort((a, b) => rank(a) - rank(b))) {
        const own = lanes.get(lane), pipe = names.pipes[lane % 16], core = lane >> 4;
        const label = coresOfBlock > 1 ? `${core ? "AIV " + (core - 1) : "AIC"} ${pipe}` : pipe;
        const row = new Row(label, `--${pipe}`, Uint32Array.from(own, i => begin[i]), Uint32Array.from(own, i => begin[i] + length[i]), Uint32Array.from(own, i => kind[i]));
        row.block = block.block;
        rows.set(lane, { y, row });
        this.layout.push({ y, height: ROW, row });
        y += ROW;
      }
      const waits = {};
      [waits.begin, waits.length, waits.back, waits.kind] = await Promise.all([column(block.waits.begin, true), column(block.waits.length), column(block.waits.back), column(block.waits.kind)]);
      waits.kinds = block.waits.kinds;
      this.blocks.push({ block: block.block, rows, waits });
    }
    this.height = await this.loadMemory(y) + 6;
    this.listen();
    this.draw();
  }

  async loadMemory(y) {
    const memory = this.source.timeline.memory;
    const [piece, begin, length] = await Promise.all([column(memory.piece), column(memory.begin, true), column(memory.length)]);
    const order = memory.pieces.map((_, i) => i).sort((a, b) => memory.pieces[a][0].localeCompare(memory.pieces[b][0]) || memory.pieces[a][1] - memory.pieces[b][1]);
    const own = memory.pieces.map(() => []);
    for (let i = 0; i < piece.length; ++i) own[piece[i]].push(i);
    let last = "";
    for (const number of order) {
      const [where, from, to, name, shape, line] = memory.pieces[number];
      if (where !== last) {
        this.layout.push({ y, height: HEAD, title: `${where}  what its buffers hold, in block ${this.source.critical}` });
        y += HEAD;
        last = where;
      }
      const row = new Row(name || `${from}`, "--link", Uint32Array.from(own[number], i => begin[i]), Uint32Array.from(own[number], i => begin[i] + length[i]), null);
      row.memory = `${name || "bytes"}  ${shape}\n${where} ${from} to ${to}, ${to - from} bytes${line ? `, line ${line}` : ""}`;
      row.line = line;
      this.layout.push({ y, height: ROW, row });
      y += ROW;
    }
    return y;
  }

  lineOf(place) {
    const [file, line] = this.source.places[place] ?? ["", 0];
    return line ? `${file.replace(/^.*\//, "")}:${line}` : "";
  }

  us(cycles) { const us = cycles / this.launch.clock; return us >= 100 ? us.toFixed(1) + " us" : us.toFixed(3) + " us"; }
  x(t) { return LEFT + (t - this.view[0]) / (this.view[1] - this.view[0]) * (this.width - LEFT - 8); }
  time(x) { return this.view[0] + (x - LEFT) / (this.width - LEFT - 8) * (this.view[1] - this.view[0]); }

  draw() {
    const canvas = this.canvas, ratio = devicePixelRatio || 1;
    this.width = canvas.clientWidth || 1200;
    canvas.width = this.width * ratio;
    canvas.height = this.height * ratio;
    canvas.style.height = this.height + "px";
    const style = getComputedStyle(document.documentElement), colours = new Map();
    this.colour = name => { if (!colours.has(name)) colours.set(name, style.getPropertyValue(name).trim() || "#888"); return colours.get(name); };
    const context = this.context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = this.colour("--ground");
    context.fillRect(0, 0, this.width, this.height);
    this.drawAxis();
    for (const item of this.layout) item.title ? this.drawTitle(item) : this.drawRow(item);
    if (this.arrows.checked) for (const block of this.blocks) this.drawWaits(block);
    if (this.band) { context.fillStyle = this.colour("--link"); context.globalAlpha = .2; const [a, b] = this.band; context.fillRect(Math.min(a, b), 0, Math.abs(b - a), this.height); context.globalAlpha = 1; }
  }

  drawAxis() {
    const { context } = this, span = this.view[1] - this.view[0];
    const raw = span / this.launch.clock / Math.max((this.width - LEFT) / 110, 1), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find(n => n * power >= raw) * power, first = Math.ceil(this.view[0] / this.launch.clock / step) * step;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    for (let us = first; us <= this.view[1] / this.launch.clock; us += step) {
      const x = this.x(us * this.launch.clock);
      context.fillStyle = this.colour("--line");
      context.fillRect(x, AXIS - 4, 1, this.height - AXIS);
      context.fillStyle = this.colour("--faint");
      context.fillText(`${+us.toFixed(6)} us`, x, 14);
    }
  }

  drawTitle({ y, title }) {
    const { context } = this;
    context.fillStyle = this.colour("--row");
    context.fillRect(0, y, this.width, HEAD - 2);
    context.fillStyle = this.colour("--ink");
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(title, 8, y + 14);
  }

  drawRow({ y, row }) {
    const { context } = this, [t0, t1] = this.view, colour = this.colour(row.colour);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "right";
    context.fillStyle = this.colour("--ink");
    let label = row.label;
    while (context.measureText(label).width > LEFT - 16 && label.length > 4) label = label.slice(0, -2).trimEnd().replace(/…$/, "") + "…";
    context.fillText(label, LEFT - 8, y + 13);
    context.save();
    context.beginPath();
    context.rect(LEFT, y, this.width - LEFT - 8, ROW);
    context.clip();
    const from = Math.max(lower(row.end, t0), 0), to = lower(row.begin, t1), pixels = this.width - LEFT - 8;
    row.drawn = to - from > pixels * 1.5 ? "shares" : "bars";
    if (row.drawn === "shares") this.drawShares(row, y, colour, pixels);
    else this.drawBars(row, y, colour, from, to);
    context.restore();
  }

  drawShares(row, y, colour, pixels) {
    const { context } = this, step = (this.view[1] - this.view[0]) / pixels;
    context.fillStyle = colour;
    let before = row.busy(this.view[0]), matched = row.matching ? row.busy(this.view[0], row.matching) : 0;
    for (let pixel = 0; pixel < pixels; ++pixel) {
      const t = this.view[0] + (pixel + 1) * step, now = row.busy(t), share = Math.min((now - before) / step, 1);
      before = now;
      if (share <= 0) continue;
      const height = Math.max((ROW - 4) * share, 1);
      context.globalAlpha = row.matching ? .22 : 1;
      context.fillRect(LEFT + pixel, y + ROW - 2 - height, 1, height);
      if (!row.matching) continue;
      const fits = row.busy(t, row.matching), part = Math.min((fits - matched) / step, 1);
      matched = fits;
      context.globalAlpha = 1;
      context.fillRect(LEFT + pixel, y + ROW - 2 - (ROW - 4) * part, 1, (ROW - 4) * part);
    }
    context.globalAlpha = 1;
  }

  drawBars(row, y, colour, from, to) {
    const { context } = this, ink = this.colour("--ground");
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    for (let i = from; i < to; ++i) {
      const x = this.x(row.solid[i]), end = this.x(row.end[i]), width = Math.max(end - x, .7);
      context.globalAlpha = this.wanted && row.kind && !this.wanted[row.kind[i]] ? .2 : row.memory ? .55 : 1;
      context.fillStyle = colour;
      if (row.begin[i] < row.solid[i]) context.fillRect(this.x(row.begin[i]), y + ROW - 5, x - this.x(row.begin[i]), 2); // issued, behind another
      context.fillRect(x, y + 2, width - (width > 4 ? .5 : 0), ROW - 4);
      if (this.chosen && this.chosen.row === row && this.chosen.index === i) { context.strokeStyle = this.colour("--ink"); context.lineWidth = 2; context.strokeRect(x, y + 1, Math.max(width, 2), ROW - 2); }
      if (row.kind && width > 46) {
        const { instruction } = this.kinds[row.kind[i]], left = Math.max(x, LEFT);
        if (end - left > context.measureText(instruction).width + 8) { context.fillStyle = ink; context.fillText(instruction, left + 4, y + 13); }
      }
    }
    context.globalAlpha = 1;
  }

  // Waits that held a pipe up: a line below its bars. Waits for other cores, and while there are few of them those within a
  // core, have an arrow from what set the flag.
  drawWaits({ rows, waits }) {
    const { context } = this, [t0, t1] = this.view, to = lower(waits.begin, t1);
    let from = lower(waits.begin, t0);
    while (from > 0 && from > lower(waits.begin, t0) - 64) --from;
    if (to - from > 6000) return;
    let inside = 0, between = 0;
    for (let i = from; i < to; ++i) this.crosses(waits, i) ? ++between : ++inside;
    const few = inside * 25 < this.width, fewBetween = between * 4 < this.width;
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, this.width - LEFT - 8, this.height);
    context.clip();
    for (let i = from; i < to; ++i) {
      const [core, source, target, , , , setter] = waits.kinds[waits.kind[i]], end = waits.begin[i] + waits.length[i];
      const crosses = this.crosses(waits, i), at = rows.get(core * 16 + target) ?? (crosses ? this.firstRow(rows, core) : null);
      const origin = rows.get(setter * 16 + source);
      if (!at || end < t0) continue;
      context.strokeStyle = context.fillStyle = this.colour(crosses ? "--link" : "--bad");
      context.globalAlpha = .6;
      context.fillRect(this.x(waits.begin[i]), at.y + ROW - 2, Math.max(this.x(end) - this.x(waits.begin[i]), .5), 1.5);
      if (!(crosses ? fewBetween : few) || !origin || !waits.back[i] || origin === at) continue;
      const x0 = this.x(end - waits.back[i]), x1 = this.x(end), y0 = origin.y + ROW / 2, y1 = at.y + ROW / 2;
      const bend = Math.min(Math.max(10, Math.abs(x1 - x0) / 2), 60);
      context.globalAlpha = crosses ? .8 : .5;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x0, y0);
      context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
      context.stroke();
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - 5, y1 - 3);
      context.lineTo(x1 - 5, y1 + 3);
      context.fill();
    }
    context.restore();
  }

  // Whether another core set the flag a wait is for.
  crosses(waits, i) { const kind = waits.kinds[waits.kind[i]]; return kind[0] !== kind[6]; }
  // Where a core shows a wait of a pipe that did nothing else, such as the scalar unit.
  firstRow(rows, core) {
    let first = null;
    for (const [lane, row] of rows) if (lane >> 4 === core && (!first || row.y < first.y)) first = row;
    return first;
  }

  find(x, y) {
    const item = this.layout.find(item => item.row && y >= item.y && y < item.y + item.height);
    if (!item || x < LEFT) return null;
    const span = (this.view[1] - this.view[0]) / (this.width - LEFT), t = this.time(x);
    for (const near of [0, span, -span, 2 * span, -2 * span]) {
      const index = item.row.at(t + near);
      if (index >= 0) return { row: item.row, index };
    }
    return null;
  }

  describe({ row, index }) {
    const begin = row.begin[index], end = row.end[index];
    const when = `${this.us(begin)} to ${this.us(end)}, ${this.us(end - begin)}`;
    if (!row.kind) return `${row.memory}\n${when}`;
    const kind = this.kinds[row.kind[index]];
    const amount = kind.amount ? `${kind.amount} ${kind.moves ? "bytes" : "operations"}` : "";
    const waited = row.solid[index] > begin ? `\nissued at ${this.us(begin)}, behind another until ${this.us(row.solid[index])}` : "";
    return `${kind.instruction}  ${kind.dtype}  ${kind.array}\n${[kind.line, amount].filter(Boolean).join("  ")}\nblock ${row.block}, ${row.label}: ${when}${waited}`;
  }

  choose(found) {
    this.chosen = found;
    this.section.querySelectorAll("tr.picked").forEach(row => row.classList.remove("picked"));
    this.detail.textContent = found ? this.describe(found).replaceAll("\n", "   ") : "Nothing chosen.";
    const line = found && found.row.kind ? this.source.places[this.kinds[found.row.kind[found.index]].place] : null;
    const row = line && [...this.section.querySelectorAll("tr.used")].find(row => row.dataset.file === line[0] && +row.dataset.line === line[1]);
    if (row) { const file = row.closest(".file"); row.classList.add("picked"); file.scrollTop = row.offsetTop - file.clientHeight / 2; }
    this.draw();
  }

  // Shows what a test of kinds accepts; null shows everything.
  filter(accepts, what) {
    this.wanted = accepts ? this.kinds.map(kind => accepts(kind) ? 1 : 0) : null;
    let count = 0, busy = 0;
    for (const { row } of this.layout) if (row && row.kind) { count += row.match(this.wanted); busy += row.matching ? row.matching[row.begin.length] : 0; }
    this.section.querySelector(".matches").textContent = accepts ? `${what}: ${count} instructions, ${this.us(busy)} in the blocks shown` : "";
    this.draw();
    return count;
  }

  search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.filter(words.length ? kind => words.every(word => kind.words.includes(word)) : null, `"${text}"`);
  }

  pickLine(file, line) {
    const rows = [...this.section.querySelectorAll("tr.used")], row = rows.find(row => row.dataset.file === file && +row.dataset.line === line);
    const again = row && row.classList.contains("picked") && this.wanted;
    rows.forEach(row => row.classList.remove("picked"));
    if (again || !row) return this.filter(null);
    row.classList.add("picked");
    return this.filter(kind => { const place = this.source.places[kind.place]; return place && place[0] === file && place[1] === line; }, `line ${line}`);
  }

  show(t0, t1) {
    const least = 20, span = Math.min(Math.max(t1 - t0, least), this.launch.cycles * 1.02), low = Math.min(Math.max(t0, -.01 * this.launch.cycles), this.launch.cycles * 1.01 - span);
    this.view = [low, low + span];
    this.draw();
  }
  zoom(factor, around = (this.view[0] + this.view[1]) / 2) { this.show(around - (around - this.view[0]) / factor, around + (this.view[1] - around) / factor); }
  pan(share) { const step = share * (this.view[1] - this.view[0]); this.show(this.view[0] + step, this.view[1] + step); }

  listen() {
    const { canvas, section, tip } = this;
    const place = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    let drag = null;
    canvas.onpointerdown = event => { const [x] = place(event); drag = { x, view: [...this.view], moved: false, zooms: event.shiftKey }; canvas.setPointerCapture(event.pointerId); };
    canvas.onpointermove = event => {
      const [x, y] = place(event);
      if (drag) {
        drag.moved ||= Math.abs(x - drag.x) > 3;
        if (drag.zooms) { this.band = [drag.x, x]; this.draw(); return; }
        if (drag.moved) { const step = (drag.x - x) / (this.width - LEFT) * (drag.view[1] - drag.view[0]); this.show(drag.view[0] + step, drag.view[1] + step); }
        return;
      }
      const found = this.find(x, y);
      tip.hidden = !found;
      if (!found) return;
      tip.textContent = this.describe(found);
      tip.style.left = Math.min(x + 14, this.width - tip.offsetWidth - 4) + "px";
      tip.style.top = y + 18 + "px";
    };
    canvas.onpointerup = event => {
      const [x, y] = place(event), was = drag;
      drag = this.band = null;
      if (was?.zooms && Math.abs(x - was.x) > 3) return this.show(this.time(Math.min(x, was.x)), this.time(Math.max(x, was.x)));
      if (was && !was.moved) this.choose(this.find(x, y));
    };
    canvas.onpointerleave = () => { tip.hidden = true; };
    canvas.ondblclick = event => this.zoom(3, this.time(place(event)[0]));
    canvas.addEventListener("wheel", event => {
      if (event.ctrlKey || event.altKey) { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 300), this.time(place(event)[0])); }
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) { event.preventDefault(); this.pan(event.deltaX / this.width); }
    }, { passive: false });
    canvas.onkeydown = event => {
      const keys = { w: () => this.zoom(1.5), "+": () => this.zoom(1.5), s: () => this.zoom(1 / 1.5), "-": () => this.zoom(1 / 1.5), a: () => this.pan(-.2), d: () => this.pan(.2),
                     ArrowLeft: () => this.pan(-.1), ArrowRight: () => this.pan(.1), 0: () => this.show(0, this.launch.cycles), Escape: () => { this.choose(null); this.filter(null); } };
      if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
    };
    section.querySelector(".search").oninput = event => this.search(event.target.value);
    section.querySelectorAll("[data-do]").forEach(button => button.onclick = () => ({ in: () => this.zoom(2), out: () => this.zoom(.5), fit: () => this.show(0, this.launch.cycles) })[button.dataset.do]());
    this.arrows.onchange = () => this.draw();
    section.querySelectorAll("tr.used").forEach(row => row.onclick = () => this.pickLine(row.dataset.file, +row.dataset.line));
  }
}

async function showLaunch(number) {
  for (const section of document.querySelectorAll("section.launch")) section.hidden = +section.dataset.launch !== number;
  document.querySelectorAll("#launches tr").forEach(row => row.classList.toggle("picked", row.dataset.launch === String(number)));
  if (stages.has(number)) return stages.get(number).draw();
  const section = document.querySelector(`section.launch[data-launch="${number}"]`), launch = DATA.launches[number];
  if (!section || !launch?.timeline) return;
  const stage = new Stage(section, launch);
  await stage.load();
  stages.set(number, stage);
}
window.tilesmith.show = showLaunch;
document.querySelectorAll("#launches tbody tr").forEach(row => { row.onclick = () => showLaunch(+row.dataset.launch); row.onkeydown = event => { if (event.key === "Enter") row.onclick(); }; });
const redraw = () => { for (const stage of stages.values()) if (!stage.section.hidden) stage.draw(); };
addEventListener("resize", redraw);
addEventListener("themechange", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
showLaunch(0).then(() => { window.tilesmith.painted = performance.now(); document.body.dataset.painted = window.tilesmith.painted.toFixed(0); dispatchEvent(new Event("painted")); })
  .catch(error => { document.body.dataset.failed = String(error.stack ?? error); });
