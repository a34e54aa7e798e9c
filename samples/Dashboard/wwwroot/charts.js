// Three small charts as SVG. Each has a text that says what it shows; the figures are in tables beside it.
"use strict";

const Charts = (() => {
  const svg = "http://www.w3.org/2000/svg";

  function element(name, attributes, text) {
    const created = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
    if (text !== undefined) created.textContent = text;
    return created;
  }

  function frame(host, width, height, label) {
    const root = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
    host.replaceChildren(root);
    return root;
  }

  // Drawn as wide as it is shown, so that text keeps its size.
  const widthOf = host => Math.max(280, host.clientWidth || 600);

  // The next 1, 2 or 5 times a power of ten.
  function ceiling(value) {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map(step => step * power).find(step => step >= value);
  }

  function columns(host, labels, values, format, label) {
    const width = widthOf(host), height = 240, left = 56, bottom = 24, top = 8;
    const root = frame(host, width, height, label);
    const most = ceiling(Math.max(...values)), step = (width - left) / values.length, plot = height - bottom - top;
    for (let i = 0; i <= 4; i++) {
      const y = top + plot * (1 - i / 4);
      root.append(element("line", { class: "grid", x1: left, x2: width, y1: y, y2: y }),
        element("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, format(most * i / 4)));
    }
    const every = step < 48 ? (step < 26 ? 3 : 2) : 1;
    values.forEach((value, i) => {
      const tall = plot * value / most;
      const bar = element("rect", { class: "bar", x: left + step * (i + .15), y: top + plot - tall, width: step * .7, height: tall, rx: 2 });
      bar.append(element("title", {}, `${labels[i]}: ${format(value)}`));
      root.append(bar);
      if (i % every === 0) root.append(element("text", { x: left + step * (i + .5), y: height - 6, "text-anchor": "middle" }, every > 1 || step < 64 ? labels[i].slice(2) : labels[i]));
    });
  }

  function bars(host, labels, values, format, label) {
    const width = widthOf(host), row = 24, left = 64, right = 64;
    const root = frame(host, width, row * values.length, label);
    const most = Math.max(...values, 1e-9);
    values.forEach((value, i) => {
      root.append(element("text", { x: 0, y: row * i + 16 }, labels[i]),
        element("rect", { class: "bar", x: left, y: row * i + 4, width: (width - left - right) * value / most, height: 16, rx: 2 }),
        element("text", { x: width, y: row * i + 16, "text-anchor": "end" }, format(value)));
    });
  }

  // One or two series, oldest first; null is a gap. The logarithmic scale keeps both readable when one is a hundred times the other.
  function lines(host, series, names, format, label, logarithmic) {
    const width = widthOf(host), height = 120, left = 56, top = 16, bottom = 8, points = 60;
    const root = frame(host, width, height, label);
    const all = series.flat().filter(value => value !== null);
    const most = ceiling(Math.max(...all, 0)), least = logarithmic ? most / 10 ** Math.max(1, Math.ceil(Math.log10(most / Math.max(Math.min(...all), 1e-3)))) : 0;
    const y = value => {
      const share = logarithmic ? Math.log(Math.max(value, least) / least) / Math.log(most / least) : value / most;
      return height - bottom - (height - bottom - top) * share;
    };
    for (const mark of [least, most]) {
      root.append(element("line", { class: "grid", x1: left, x2: width, y1: y(mark), y2: y(mark) }),
        element("text", { x: left - 8, y: y(mark) + 4, "text-anchor": "end" }, format(mark)));
    }
    series.forEach((values, s) => {
      let path = "", isDrawn = false;
      values.forEach((value, i) => {
        if (value === null) { isDrawn = false; return; }
        path += `${isDrawn ? "L" : "M"}${(left + (width - left) * (points - values.length + i) / (points - 1)).toFixed(1)} ${y(value).toFixed(1)}`;
        isDrawn = true;
      });
      const kind = s === 0 ? "first" : "second";
      root.append(element("path", { class: kind, d: path || "M0 0" }));
      if (names[s] && values.some(value => value !== null)) root.append(element("text", { class: kind, x: left + 100 * s, y: 10 }, names[s]));
    });
  }

  return { columns, bars, lines };
})();
