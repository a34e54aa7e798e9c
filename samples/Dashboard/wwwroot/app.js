// Asks for a report once a second and shows it.
"use strict";

const at = id => document.getElementById(id);
const number = new Intl.NumberFormat("en");
const money = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const milliseconds = value => value === 0 ? "0 ms" : value >= 100 ? `${number.format(Math.round(value))} ms` : value >= 1 ? `${value.toFixed(1)} ms` : value >= .01 ? `${value.toFixed(2)} ms` : `${(value * 1000).toFixed(1)} µs`;
const bytes = value => value >= 2 ** 20 ? `${(value / 2 ** 20).toFixed(1)} MiB` : `${(value / 1024).toFixed(0)} KiB`;
const sum = values => values.reduce((total, value) => total + value, 0);

const compiledTimes = [], twinTimes = [], pauses = [];
let last = null, lastTime = 0;

// What the user has changed, and what of that the program has not confirmed. A report that was asked for before is older than the controls.
let changes = 0, unconfirmed = 0, isSliding = false;

function keep(list, value) {
  list.push(value);
  if (list.length > 60) list.shift();
}

function row(cells) {
  const tr = document.createElement("tr");
  cells.forEach(([text, isNumber, isHeader], i) => {
    const cell = document.createElement(isHeader ? "th" : "td");
    if (isHeader) cell.scope = i === 0 ? "row" : "col";
    if (isNumber) cell.className = "number";
    cell.textContent = text;
    tr.append(cell);
  });
  return tr;
}

function showRevenue(report) {
  const select = at("nation");
  if (select.length === 1) report.nations.forEach(nation => select.add(new Option(nation)));
  const cells = new Map(report.revenue.map(cell => [`${cell.nation} ${cell.year}-${String(cell.month).padStart(2, "0")}`, cell.revenue]));
  const of = (nation, month) => cells.get(`${nation} ${month}`) ?? 0;
  const nations = select.value ? [select.value] : report.nations;
  const values = report.months.map(month => sum(nations.map(nation => of(nation, month))));
  Charts.columns(at("revenue-chart"), report.months, values, value => compact.format(value),
    `Revenue of ${select.value || "all nations"} in twelve months: ${compact.format(values[0])} in ${report.months[0]}, ${compact.format(values[11])} in ${report.months[11]}.`);

  const head = document.createElement("thead"), body = document.createElement("tbody");
  head.append(row([["Nation", false, true], ...report.months.map(month => [month, true, true])]));
  head.querySelectorAll("th").forEach(cell => { cell.scope = "col"; });
  report.nations.forEach(nation => body.append(row([[nation, false, true], ...report.months.map(month => [(of(nation, month) / 1e6).toFixed(1), true])])));
  at("revenue-table").replaceChildren(head, body);
}

function showCustomers(report) {
  const most = report.customers[0]?.revenue ?? 1;
  at("customers").tBodies[0].replaceChildren(...report.customers.map(customer => {
    const tr = row([[customer.name, false, true], [customer.nation], [number.format(customer.orders), true], [compact.format(customer.revenue), true]]);
    const share = document.createElement("span");
    share.className = "share";
    share.style.width = `${100 * customer.revenue / most}%`;
    tr.lastChild.append(share);
    return tr;
  }));
}

function showFrozen(frozen) {
  at("freeze").setAttribute("aria-pressed", frozen !== null);
  at("freeze").textContent = frozen === null ? "Freeze this moment" : "Let it go";
  at("frozen").hidden = frozen === null;
  at("frozen-text").textContent = frozen === null
    ? "Nothing is frozen. A snapshot keeps one moment of orders and lines while others come and go."
    : `Frozen at ${new Date(frozen.moment).toLocaleTimeString("en-GB")}; ${bytes(frozen.bytes)} are kept for it. At each moment orders and lines have the same amount; what is there now is read while it changes.`;
  if (frozen === null) return;
  const line = (name, of) => row([[name, false, true], [of(frozen.then, frozen.thenTime), true], [of(frozen.now, frozen.nowTime), true]]);
  at("frozen").tBodies[0].replaceChildren(
    line("Orders", totals => number.format(totals.orders)),
    line("Order lines", totals => number.format(totals.lines)),
    line("Amount of orders", totals => money.format(totals.orderAmount)),
    line("Amount of lines", totals => money.format(totals.lineAmount)),
    line("Query time", (_, time) => milliseconds(time)));
}

function showTimes(report) {
  const compiled = sum(report.queries.map(query => query.compiled));
  const twin = report.isTwinOn ? sum(report.queries.map(query => query.twin ?? 0)) : null;
  keep(compiledTimes, compiled);
  keep(twinTimes, twin);
  at("total-time").textContent = milliseconds(compiled);
  at("times").tBodies[0].replaceChildren(...report.queries.map(query => row([
    [query.name, false, true], [number.format(query.rows), true], [milliseconds(query.compiled), true],
    [query.twin === null ? "off" : `${milliseconds(query.twin)} (${(query.twin / query.compiled).toFixed(0)}×)`, true]])));
  Charts.lines(at("times-chart"), [compiledTimes, twinTimes], ["compiled", "List<T>"], milliseconds,
    `Time of all queries: ${milliseconds(compiled)} compiled${twin === null ? "" : `, ${milliseconds(twin)} over the list`}. Logarithmic scale.`, true);
}

function showMemory(report) {
  at("native").textContent = bytes(report.memory.native);
  at("garbage").textContent = bytes(report.memory.garbage);
  at("heap").textContent = bytes(report.memory.heap);
  at("epoch").textContent = number.format(report.epochs.epoch);
  at("blocked").textContent = number.format(report.epochs.blocked);
  at("reader").textContent = report.epochs.oldestReader === null ? "none" : milliseconds(report.epochs.oldestReader);
  at("collections").textContent = `${number.format(report.collections.collections)} (${number.format(report.collections.fullCollections)})`;
  at("paused").textContent = milliseconds(report.collections.totalPause);
  const pause = last === null ? 0 : report.collections.totalPause - last.collections.totalPause;
  keep(pauses, pause);
  Charts.lines(at("pauses-chart"), [pauses], [], milliseconds, `Garbage collection pauses: ${milliseconds(pause)} in the last second, at most ${milliseconds(Math.max(...pauses))} in the last minute.`, false);
}

function show(report, isNewerThanControls) {
  const now = performance.now();
  at("orders").textContent = number.format(report.orders);
  at("lines").textContent = number.format(report.lines);
  if (last !== null) at("arriving").textContent = number.format(Math.round((report.arrived - last.arrived) * 1000 / (now - lastTime)));
  if (isNewerThanControls) {
    if (!isSliding) setRate(report.rate);
    at("twin").checked = report.isTwinOn;
    showFrozen(report.frozen);
  }
  showRevenue(report);
  showCustomers(report);
  Charts.bars(at("parts-chart"), report.parts.map(part => part.part), report.parts.map(part => part.amount), value => compact.format(value),
    `Sales of ${report.parts.length} parts; the table of query times says how long it took.`);
  showTimes(report);
  showMemory(report);
  last = report;
  lastTime = now;
}

function setRate(rate) {
  at("rate").value = rate;
  at("rate-value").textContent = number.format(rate);
  at("rate").setAttribute("aria-valuetext", `${number.format(rate)} orders per second`);
}

async function ask(url, method = "GET") {
  const answer = await fetch(url, { method });
  if (!answer.ok && answer.status !== 404) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

async function run() {
  try {
    const before = changes, wasConfirmed = unconfirmed === 0;
    const report = await (await ask("api/report")).json();
    show(report, wasConfirmed && before === changes);
    if (at("status").classList.contains("error")) say("");
  } catch (error) {
    say(`No report: ${error.message}. Trying again.`, true);
  }
  setTimeout(run, 1000);
}

function say(text, isError = false) {
  at("status").textContent = text;
  at("status").classList.toggle("error", isError);
}

async function control(action) {
  changes++;
  unconfirmed++;
  try { await action(); } catch (error) { say(error.message, true); } finally { unconfirmed--; }
}

at("rate").addEventListener("input", () => {
  isSliding = true;
  setRate(Number(at("rate").value));
});
at("rate").addEventListener("change", () => control(async () => {
  isSliding = false;
  await ask(`api/rate/${at("rate").value}`, "PUT");
  say(`${number.format(at("rate").value)} orders per second.`);
}));
at("twin").addEventListener("change", () => control(async () => {
  const isOn = at("twin").checked;
  say(isOn ? "Copying all orders into a list." : "");
  await ask(`api/twin/${isOn}`, "PUT");
  say(isOn ? "All orders are in a list of objects, too." : "The list is gone.");
}));
at("freeze").addEventListener("click", () => control(async () => {
  const isOn = at("freeze").getAttribute("aria-pressed") !== "true";
  await ask(`api/frozen/${isOn}`, "PUT");
  at("freeze").setAttribute("aria-pressed", isOn);
  say(isOn ? "This moment is kept, and the shop goes on." : "The moment is gone.");
}));
at("collect").addEventListener("click", () => control(async () => {
  const pause = await (await ask("api/collect", "POST")).json();
  say(`The program stood still for ${milliseconds(pause)}.`);
}));
at("nation").addEventListener("change", () => { if (last !== null) showRevenue(last); });
at("find").addEventListener("submit", event => {
  event.preventDefault();
  control(async () => {
    const answer = await ask(`api/orders/${Number(at("key").value)}`);
    const found = at("found");
    if (answer.status === 404) { found.textContent = "There is no order with this key. The oldest orders have left."; return; }
    const order = await answer.json();
    const text = document.createElement("p"), table = document.createElement("table"), head = document.createElement("thead"), body = document.createElement("tbody");
    text.textContent = `Order ${order.key} of ${order.customer}, ${order.nation}, ${order.date}: ${number.format(order.total)}. Look-up by key ${milliseconds(order.lookUpTime)}, scan for its lines ${milliseconds(order.linesTime)}.`;
    head.append(row([["Part", false, true], ["Quantity", true, true], ["Price", true, true]]));
    head.querySelectorAll("th").forEach(cell => { cell.scope = "col"; });
    order.lines.forEach(line => body.append(row([[line.part], [line.quantity, true], [line.price.toFixed(2), true]])));
    table.append(head, body);
    found.replaceChildren(text, table);
  });
});

run();
