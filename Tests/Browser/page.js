// What runs in the browser: sets texts in blocks or text areas and reads where their lines start and how high they are.

window.measurer = (() => {
  const range = document.createRange();

  /** Top of the line that holds a UTF-16 unit, or of the next unit that has a box; null after the last one. */
  function top(node, unit) {
    for (let end = unit + 1; end <= node.length; end++) {
      range.setStart(node, end - 1);
      range.setEnd(node, end);
      const boxes = range.getClientRects();
      if (boxes.length > 0) return boxes[boxes.length - 1].top;
    }
    return null;
  }

  /** UTF-16 offsets at which lines start: gallops to the next line and then halves. */
  function lineStarts(node) {
    const starts = [0];
    let length = 8;
    while (true) {
      let low = starts[starts.length - 1];
      const here = top(node, low);
      if (here === null) return starts;
      const isBelow = (unit) => {
        const other = top(node, unit);
        return other === null || other > here + 0.5;
      };
      let high = Math.min(low + length, node.length);
      while (high < node.length && !isBelow(high)) {
        low = high;
        high = Math.min(high + length, node.length);
      }
      if (high === node.length && !isBelow(high - 1)) return starts;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (isBelow(middle)) high = middle; else low = middle;
      }
      // What has no box goes with what is before it.
      while (high < node.length) {
        range.setStart(node, high);
        range.setEnd(node, high + 1);
        if (range.getClientRects().length > 0) break;
        high++;
      }
      if (high >= node.length) return starts;
      length = Math.max(8, high - starts[starts.length - 1]);
      starts.push(high);
    }
  }

  function style(element, text, options) {
    element.lang = text.lang;
    element.dir = "auto";
    element.style.fontFamily = text.families.map((name) => `"${name}"`).join(",");
    element.style.fontSize = `${options.size}px`;
    element.style.width = `${options.width}px`;
    element.style.lineBreak = options.lineBreak;
    element.style.overflowWrap = options.overflowWrap;
  }

  function blocks(texts, options) {
    const frame = document.createElement("div");
    const elements = texts.map((text) => {
      const element = document.createElement(options.isArea ? "textarea" : "div");
      element.className = options.isArea ? "area" : "block";
      style(element, text, options);
      if (options.isArea) element.value = text.text; else element.appendChild(document.createTextNode(text.text));
      frame.appendChild(element);
      return element;
    });
    document.body.appendChild(frame);
    const found = elements.map((element) => {
      if (options.isArea) return { height: element.scrollHeight };
      return { height: element.getBoundingClientRect().height, starts: lineStarts(element.firstChild) };
    });
    frame.remove();
    return found;
  }

  async function loadFonts() {
    await Promise.all([...document.fonts].map((face) => face.load()));
    return [...document.fonts].map((face) => [face.family, face.status]);
  }

  return { blocks, loadFonts };
})();
