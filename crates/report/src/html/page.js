(() => {
  "use strict";
  const all = (selector, root) => [...(root || document).querySelectorAll(selector)];

  // The search field; groups without a visible property are hidden, but for files of
  // which something was said.
  const search = document.getElementById("search");
  const properties = all(".prop").map((entry) => ({
    entry,
    kind: document.getElementById("show-" + entry.classList[1]),
    name: entry.querySelector(".name").textContent.toLowerCase(),
  }));
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    const shown = new Set();
    for (const { entry, kind, name } of properties) {
      entry.hidden = !kind.checked || !name.includes(wanted);
      if (!entry.hidden) {
        shown.add(entry.closest(".node")).add(entry.closest(".file"));
      }
    }
    for (const group of all(".node, .file")) {
      const said = wanted === "" && group.querySelector(":scope > .messages");
      group.hidden = !shown.has(group) && !said;
    }
  };
  search.hidden = properties.length < 2;
  search.addEventListener("input", filter);
  all(".switch").forEach((box) => box.addEventListener("change", filter));
  filter();

  // A band over the step below the pointer.
  for (const area of all(".scroll")) {
    const table = area.querySelector("table");
    const axis = area.querySelector("thead td");
    const width = parseInt(table.style.getPropertyValue("--w"), 10);
    const band = document.createElement("div");
    band.className = "pointer";
    band.hidden = true;
    area.append(band);
    area.addEventListener("pointermove", (event) => {
      const names = axis.previousElementSibling.getBoundingClientRect().right;
      const start = table.getBoundingClientRect().left + axis.offsetLeft;
      const step = Math.floor((event.clientX - start) / width);
      const inside = event.clientX >= names && step >= 0 && step * width < axis.offsetWidth;
      band.hidden = !inside;
      band.style.left = axis.offsetLeft + step * width + "px";
      band.style.width = width + "px";
      band.style.height = table.offsetHeight + "px";
    });
    area.addEventListener("pointerleave", () => {
      band.hidden = true;
    });
  }
})();
