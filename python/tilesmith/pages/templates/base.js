// Light or dark: the system's choice until somebody presses the button.
document.getElementById("theme").onclick = () => {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  dispatchEvent(new Event("themechange"));
};
// A click on a head sorts its table.
for (const head of document.querySelectorAll("table.sortable th")) head.onclick = () => {
  const order = -(head.dataset.order || -1), column = head.cellIndex, table = head.closest("table"), body = table.tBodies[0];
  table.querySelectorAll("th").forEach(other => delete other.dataset.order);
  head.dataset.order = order;
  const key = row => { const cell = row.cells[column], value = cell.dataset.value ?? cell.textContent;
                       return value !== "" && !isNaN(value) ? Number(value) : value; };
  [...body.rows].sort((a, b) => { const x = key(a), y = key(b); return order * (x < y ? -1 : x > y ? 1 : 0); }).forEach(row => body.append(row));
};
