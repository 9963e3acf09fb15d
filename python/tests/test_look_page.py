"""`tilesmith prof --html`: the page in a real browser, where there is one."""

import html
import json
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

import asc
import asc2
from asc.runtime import config
from tilesmith import pages
from tilesmith.look import compact, memory, page
from tilesmith.look.recording import recording

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to open the page in")


@asc2.jit
def scale(x_ptr, y_ptr, size, tile: asc.ConstExpr[int]):
    x_gm, y_gm = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(x_gm, 0, [tile]), asc2.block_num()):
        x = asc2.load(x_gm, [tile], tile_id=[i])
        asc2.store(x * 2.0 + x, y_gm, tile_id=[i])


@asc2.jit
def product(a_ptr, b_ptr, c_ptr, m, n, k, tile: asc.ConstExpr[int]):
    a_gm, b_gm, c_gm = asc2.tensor(a_ptr, [m, k]), asc2.tensor(b_ptr, [k, n]), asc2.tensor(c_ptr, [m, n])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(m, tile), asc2.block_num()):
        a = asc2.load(a_gm, [tile, tile], tile_id=[i, 0], location=asc2.TileLocation.L0A)
        b = asc2.load(b_gm, [tile, tile], tile_id=[0, 0], location=asc2.TileLocation.L0B)
        asc2.store(a @ b, c_gm, tile_id=[i, 0])


@pytest.fixture(scope="module")
def report():
    config.set_platform("Model", "Ascend910B1")
    x, y = np.ones(60_000, np.float32), np.zeros(60_000, np.float32)
    a, c = np.ones((128, 32), np.float16), np.zeros((128, 32), np.float32)
    with recording() as report:
        scale[7](x, y, x.size, tile=1024)
        product[4](a, a[:32], c, 128, 32, 32, tile=32)
        scale[7](x, y, x.size, tile=1024)
    return report


@pytest.fixture(scope="module")
def text(report):
    return page.render(report, "<three> launches")


def open_page(text, script, tmp_path, *options):
    """What `script`, the body of an async function, returns in the page."""
    probe = (
        '<script>addEventListener("load", async () => { const out = document.createElement("pre"); out.id = "result";'
        " while (tilesmith.painted === null && !document.body.dataset.failed) await new Promise(done => setTimeout(done, 10));"
        " try { out.textContent = JSON.stringify(document.body.dataset.failed ? {failed: document.body.dataset.failed} : await (async () => {" + script + "})()); }"
        " catch (error) { out.textContent = JSON.stringify({failed: String(error.stack)}); } document.body.append(out); });</script></body>"
    )
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", probe))
    done = subprocess.run(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1400,1200",
         "--virtual-time-budget=20000", *options, "--dump-dom", f"file://{path}"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    result = json.loads(html.unescape(found[1]))
    assert not isinstance(result, dict) or "failed" not in result, result["failed"]
    return result


def test_a_page_needs_nothing_else(text):
    assert not re.search(r'(src|href)\s*=\s*"?http|@import|url\(', text) and "&lt;three&gt; launches" in text and "<three>" not in text


def test_it_tells_what_the_profile_tells(report, text):
    for launch in report.launches:
        for hint in launch.hints():
            assert html.escape(hint.text, quote=False) in html.unescape(text) or hint.text in html.unescape(text)
    assert text.count('<section class="launch"') == 3 and text.count("Roofline") >= 1 and "x_ptr" in text and "asc2.load(x_gm" in text


def test_equal_launches_share_a_timeline(text):
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert data["launches"][2]["timeline"] == {"same": 0} or data["launches"][0]["timeline"] == {"same": 2}


def test_a_page_without_launches():
    with recording() as nothing:
        pass
    assert "No kernel was launched" in page.render(nothing, "nothing")


@in_browser
def test_the_browser_has_every_instruction_of_the_shown_blocks(report, text, tmp_path):
    bars = open_page(text, "const stage = tilesmith.stages.get(0); return stage.layout.filter(item => item.row?.kind).map(({row}) =>"
                     " [row.block, row.label, [...row.begin], [...row.end], [...row.kind].map(kind => stage.kinds[kind].instruction)]);", tmp_path)
    timeline = report.launches[0].timeline
    names, entries = timeline.names(), timeline.entries
    assert {block for block, *_ in bars} == {block for block, _ in compact.representatives(report.launches[0])[0]}
    for block, pipe, begin, end, instructions in bars:
        own = entries[(entries["block"] == block) & (entries["pipe"] == names["pipes"].index(pipe))]
        assert begin == own["begin"].tolist() and end == own["end"].tolist()
        assert instructions == [names["instructions"][number] for number in own["instruction"].tolist()]


@in_browser
def test_lines_lead_to_instructions_and_back(text, tmp_path):
    shown = open_page(text, """
      const stage = tilesmith.stages.get(0), rows = [...stage.section.querySelectorAll("tr.used")];
      const load = rows.find(row => row.textContent.includes("asc2.load"));
      load.click();
      const chosen = stage.kinds.filter((kind, i) => stage.wanted[i]).map(kind => kind.instruction), text = stage.section.querySelector(".matches").textContent;
      load.click();
      const cleared = stage.wanted;
      const found = stage.layout.find(item => item.row?.label === "MTE3");
      stage.choose({ row: found.row, index: 0 });
      const picked = stage.section.querySelector("tr.picked").textContent;
      return { chosen, text, cleared, picked, detail: stage.detail.textContent };""", tmp_path)
    assert "copy_gm_to_ub" in shown["chosen"] and "copy_ub_to_gm" not in shown["chosen"] and shown["cleared"] is None
    assert re.match(r"line \d+: \d+ instructions, [\d.]+ us in the blocks shown", shown["text"])
    assert "asc2.store" in shown["picked"] and "copy_ub_to_gm  float32  y_ptr" in shown["detail"] and "4096 bytes" in shown["detail"]


@in_browser
def test_searching_zooming_and_hovering(text, tmp_path):
    shown = open_page(text, """
      const stage = tilesmith.stages.get(0), counts = ["copy_gm", "y_ptr", "nothing like it", ""].map(text => stage.search(text));
      const whole = [...stage.view];
      stage.zoom(10, 1000);
      const near = [...stage.view];
      stage.pan(.5);
      stage.show(0, stage.launch.cycles);
      const item = stage.layout.find(item => item.row?.label === "MTE2"), middle = (item.row.solid[0] + item.row.end[0]) / 2;
      const found = stage.find(stage.x(middle), item.y + 4);
      stage.canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: stage.canvas.getBoundingClientRect().left + stage.x(middle), clientY: stage.canvas.getBoundingClientRect().top + item.y + 4 }));
      return { counts, whole, near, index: found.index, tip: stage.tip.textContent, hidden: stage.tip.hidden };""", tmp_path)
    copies, stores, none, all_ = shown["counts"]
    assert copies > 0 and stores > 0 and none == 0 and all_ == 0
    assert shown["near"][0] > shown["whole"][0] and shown["near"][1] - shown["near"][0] == pytest.approx((shown["whole"][1] - shown["whole"][0]) / 10)
    assert shown["index"] == 0 and not shown["hidden"] and "copy_gm_to_ub  float32  x_ptr" in shown["tip"]


@in_browser
def test_many_instructions_are_drawn_as_shares_that_are_right(text, tmp_path):
    """The busy time of a pixel is exact, however many bars it has."""
    shown = open_page(text, """
      const stage = tilesmith.stages.get(0), row = stage.layout.find(item => item.row?.label === "V").row, sums = [];
      for (let at = 0; at < 20; ++at) {
        const t0 = stage.launch.cycles * at / 20, t1 = stage.launch.cycles * (at + 1) / 20;
        let slow = 0, last = 0;
        for (let i = 0; i < row.begin.length; ++i) { const from = Math.max(row.begin[i], last); last = Math.max(last, row.end[i]); slow += Math.max(Math.min(row.end[i], t1) - Math.max(from, t0), 0); }
        sums.push([slow, row.busy(t1) - row.busy(t0)]);
      }
      return sums;""", tmp_path)
    assert all(slow == pytest.approx(quick, abs=1e-6) for slow, quick in shown) and any(slow for slow, _ in shown)


@in_browser
def test_the_other_launches_and_both_themes_are_drawn(text, tmp_path):
    shown = open_page(text, """
      document.querySelector('#launches tr[data-launch="1"]').click();
      while (!tilesmith.stages.has(1)) await new Promise(done => setTimeout(done, 10));
      const stage = tilesmith.stages.get(1), visible = [...document.querySelectorAll("section.launch")].map(section => section.hidden);
      const corner = () => [...stage.canvas.getContext("2d").getImageData(2, stage.canvas.height - 2, 1, 1).data].slice(0, 3), before = corner();
      document.getElementById("theme").click();
      return { visible, before, after: corner(), rows: stage.layout.filter(item => item.row).map(item => item.row.label), titles: stage.layout.filter(item => item.title).map(item => item.title) };""", tmp_path)
    assert shown["visible"] == [True, False, True] and shown["before"] != shown["after"]
    assert {"M", "MTE1", "MTE2", "FIX"} <= set(shown["rows"]) and "a" in " ".join(shown["rows"])
    assert any(title.startswith("L0A  what its buffers hold, in block ") for title in shown["titles"]) and any(title.startswith("L1") for title in shown["titles"])


# What is behind it


def test_representatives_cover_every_kind_of_block(report):
    """7 blocks for 59 tiles: three have 9 tiles, four have 8, and the last tile is short."""
    chosen, groups, active = compact.representatives(report.launches[0])
    assert active == 7 and groups == 3 and {why.split()[0] for _, why in chosen} <= {"the", "like", "unlike"}
    assert report.launches[0].critical_block in dict(chosen)


def test_columns_survive_the_way():
    import base64
    import zlib

    values = np.array([5, 3, 2**32 - 1, 0, 77], np.int64)
    for differences in (False, True):
        planes = np.frombuffer(zlib.decompress(base64.b64decode(compact.column(values, differences))), np.uint8)
        words = np.ascontiguousarray(planes.reshape(4, -1).T).view(np.uint32).reshape(-1)
        assert (np.cumsum(words, dtype=np.uint32) if differences else words).tolist() == values.tolist()


def test_a_buffer_holds_a_value_from_its_write_to_its_last_read(report):
    timeline = report.launches[0].timeline
    found = memory.pieces(timeline)
    lives = memory.lives(timeline, found)
    loads = [life for life in lives if found[life.piece].name.startswith("x [")]
    block = timeline.entries[timeline.entries["block"] == report.launches[0].critical_block]
    names = timeline.names()
    copies = block[block["instruction"] == names["instructions"].index("copy_gm_to_ub")]
    assert len(loads) == len(copies) and sorted(life.begin for life in loads) == sorted(copies["begin"].tolist())
    assert {found[life.piece].shape for life in loads} == {"[1024] float32"}
    for piece in {life.piece for life in lives}:
        own = [life for life in lives if life.piece == piece]
        assert all(a.end <= b.begin for a, b in zip(own, own[1:]))


def test_too_many_instructions_leave_timelines_out(monkeypatch):
    from tilesmith.look import recording as room

    monkeypatch.setattr(room, "INSTRUCTIONS", 100)
    x = np.ones(60_000, np.float32)
    with recording() as report:
        for _ in range(3):
            scale[7](x, x.copy(), x.size, tile=1024)
    assert report.dropped == 2 and [launch.timeline is not None for launch in report.launches] == [True, False, False]
    assert page.render(report, "three").count("is left out") == 2


def test_what_a_page_is_given_cannot_leave_its_script():
    assert "</script>" not in pages.script_data({"name": "</script><script>alert(1)</script>"})


def test_a_failed_write_leaves_the_old_page(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("before")
    monkeypatch.setattr(os, "replace", lambda *paths: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError):
        pages.write(str(path), "after")
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


@in_browser
def test_rows_and_titles_lie_below_each_other(text, tmp_path):
    """Titles of memories once lay over the rows of others."""
    for number in (0, 1):
        layout = open_page(text, f"await tilesmith.show({number}); return tilesmith.stages.get({number}).layout.map(item => [item.y, item.height]);", tmp_path)
        assert all(y + height <= following for (y, height), (following, _) in zip(layout, layout[1:])) and len(layout) > 10


def test_a_page_of_many_launches_stays_small():
    """Each with a picture of its 48 cores, two hundred launches would be 12 MB."""
    x, y = np.ones(60_000, np.float32), np.zeros(60_000, np.float32)
    with recording() as report:
        for i in range(230):
            scale[1 + i % 48](x, y, 1000 + 100 * i, tile=256)
    text = page.render(report, "many")
    assert len(text) < 5_000_000 and text.count('<section class="launch"') == 200 and "30 more are left out" in text
    assert text.count("<h2>Utilisation</h2>") == 24
