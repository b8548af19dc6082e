"use strict";
// Steps through replays. A link opens what its address says (`show`); stepping draws at once, and the address follows.
(() => {
  const element = (id) => document.getElementById(id);
  const replays = new Map(JSON.parse(element("replay-data").textContent).map((replay) => [replay.key, replay]));
  const dialog = element("stepper");
  const slider = element("stepper-slider");
  const missing = element("replay-missing");
  const ADDRESS_DELAY_MS = 250; // browsers refuse to change the address more than some ten times a second
  let open = null; // {replay, step, last}
  let timer = 0;

  // #replay=EVENT/BLOCK/ORDER&step=N
  function wanted() {
    const values = new URLSearchParams(location.hash.slice(1));
    return values.has("replay") ? { key: values.get("replay"), step: Number.parseInt(values.get("step"), 10) || 0 } : null;
  }

  function go(step) {
    open.step = Math.min(Math.max(step, 0), open.last);
    draw();
    const key = encodeURIComponent(open.replay.key).replaceAll("%2F", "/");
    write(`#replay=${key}&step=${open.step}`, ADDRESS_DELAY_MS);
  }

  function write(fragment, delay) {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", location.href.split("#")[0] + fragment), delay);
  }

  function show() {
    clearTimeout(timer);
    const place = wanted();
    const replay = place && replays.get(place.key);
    missing.hidden = !place || Boolean(replay);
    if (!missing.hidden) {
      missing.textContent = `This page has no replay of game ${place.key}.`;
      missing.scrollIntoView();
    }
    if (!replay) {
      open = null;
      dialog.close();
      return;
    }
    const last = Math.max(replay.frames.length - 1, 0);
    open = { replay, last, step: Math.min(Math.max(place.step, 0), last) };
    draw();
    if (!dialog.open) dialog.showModal();
  }

  function draw() {
    const { replay, step, last } = open;
    const [caption, text] = replay.frames[step] ?? ["This game has no positions.", ""];
    element("stepper-title").textContent = replay.title;
    element("stepper-caption").textContent = caption;
    element("stepper-position").textContent = text;
    element("stepper-count").textContent = `${step} of ${last}`;
    slider.max = last;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `step ${step} of ${last}: ${caption}`);
    // aria-disabled, not disabled: a button that loses the focus loses the keyboard as well.
    for (const name of ["first", "previous"]) button(name).setAttribute("aria-disabled", step === 0);
    for (const name of ["next", "last"]) button(name).setAttribute("aria-disabled", step === last);
  }

  const button = (name) => dialog.querySelector(`[data-do=${name}]`);
  const moves = {
    first: () => go(0),
    previous: () => go(open.step - 1),
    next: () => go(open.step + 1),
    last: () => go(open.last),
    close: () => dialog.close(),
  };
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

  dialog.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-do]");
    if (pressed) moves[pressed.dataset.do]();
  });
  dialog.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moves[keys[event.key]]();
  });
  slider.addEventListener("input", () => go(slider.valueAsNumber));
  dialog.addEventListener("close", () => {
    // The address must not open again what was closed.
    if (open) write("", 0);
    open = null;
  });
  addEventListener("hashchange", show);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)));
  show();
})();
