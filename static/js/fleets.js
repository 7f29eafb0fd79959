/* The builder: keys of the search, and steps that wait for the network. Without it every step is a form that is sent. */
(() => {
  "use strict";

  const $ = (selector, root = document) => root.querySelector(selector);
  const search = () => $("[data-quick]");
  const cards = () => [...document.querySelectorAll(".found-card")];
  let adds = false; // Enter was pressed before the cards for these letters had come

  // ── Search with the keyboard: Enter adds the first card, the arrows go through them ────────────────────

  function settled() {
    return $("#found")?.dataset.for === search()?.value;
  }

  function addFirst() {
    adds = false;
    const first = cards()[0];
    if (first) return "meant" in first.dataset ? first.click() : first.focus();
    const form = $(".by-hand form");
    if (!form || !search().value) return;
    $(".by-hand").open = true;
    const title = form.elements.title.value;
    (form.elements.cost.value && title ? $("[type=submit]", form) : form.elements.cost).focus();
  }

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.isComposing) return;
    if (event.key === "Enter" && field.matches?.("[data-quick]")) {
      event.preventDefault();
      if (settled()) addFirst();
      else adds = true;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const places = [search(), ...cards()];
    const here = places.indexOf(field);
    if (here < 0) return;
    event.preventDefault();
    places[Math.max(0, Math.min(places.length - 1, here + (event.key === "ArrowDown" ? 1 : -1)))].focus();
  });

  function ready() {
    if (search() && matchMedia("(pointer: fine)").matches && !$("#adding").contains(document.activeElement)) {
      search().focus();
    }
  }

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "found" || $("#found") === event.target) {
      if (adds && settled()) addFirst();
      return;
    }
    ready();
    $("#fleet [role=alert]")?.scrollIntoView({ block: "center" });
  });

  // ── Steps that wait for the network: kept on the device, sent in their order, each made once ───────────
  // Every form carries a key, so that a step that did arrive and is sent again is made once.

  const fleet = $("#fleet");
  if (!fleet) return;
  const path = fleet.dataset.path;
  const place = `unsent ${path}`;
  const unsent = () => JSON.parse(localStorage.getItem(place) || "[]");
  let sending = false;

  function keep(steps) {
    if (steps.length) localStorage.setItem(place, JSON.stringify(steps));
    else localStorage.removeItem(place);
    show(steps);
  }

  function show(steps) {
    let line = $(".waiting");
    if (!steps.length) return line?.remove();
    if (!line) {
      line = Object.assign(document.createElement("p"), { className: "waiting" });
      line.setAttribute("role", "status");
      $("main").prepend(line);
    }
    const last = steps.at(-1).say;
    line.textContent = `Waiting for the network: ${steps.length} step${steps.length === 1 ? "" : "s"}${last ? `, last “${last}”` : ""}. Kept on this device.`;
  }

  function keepStep({ formData, triggeringEvent }) {
    const button = triggeringEvent?.submitter;
    const say = button?.dataset.say || button?.textContent.trim() || "";
    keep([...unsent(), { body: String(new URLSearchParams(formData)), say }]);
  }

  document.addEventListener("htmx:sendError", (event) => {
    const { elt, requestConfig } = event.detail;
    if (requestConfig.verb === "post" && elt.closest?.("#fleet")) keepStep(requestConfig);
  });

  // What is tapped while a step is on its way: the next step follows it, and the last page that was asked for.
  let isOnItsWay = false;
  let asked = null;

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (!elt.closest?.("#fleet")) return;
    const isStep = requestConfig.verb === "post";
    if (!isOnItsWay) {
      isOnItsWay = isStep;
      return;
    }
    event.preventDefault();
    if (isStep) keepStep(requestConfig);
    else if (!elt.matches("[data-quick]")) asked = elt.getAttribute("href");
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.verb !== "post") return;
    isOnItsWay = false;
    const page = asked;
    asked = null;
    send().then(() => page && htmx.ajax("GET", page, { target: "#fleet", swap: "outerHTML" }));
  });

  async function send() {
    if (sending || !unsent().length) return;
    sending = true;
    let sent = 0;
    const refused = [];
    try {
      while (unsent().length) {
        const [first, ...rest] = unsent();
        const body = new URLSearchParams(first.body);
        const token = $("[name=csrfmiddlewaretoken]");
        if (token) body.set("csrfmiddlewaretoken", token.value);
        const answer = await fetch(path, { method: "POST", body, headers: { "HX-Request": "true", "HX-Target": "fleet" } });
        if (answer.status >= 500) break;
        if (!answer.ok) refused.push(first.say);
        sent += 1;
        keep(rest);
      }
    } catch {
      // still no network: the steps stay where they are
    } finally {
      sending = false;
    }
    if (!sent) return;
    await htmx.ajax("GET", path, { target: "#fleet", swap: "outerHTML" });
    if (refused.length) {
      const said = Object.assign(document.createElement("p"), { className: "message message-warning" });
      said.setAttribute("role", "alert");
      said.textContent = `Could not be done any more: ${refused.join(", ")}.`;
      $("main").prepend(said);
    }
  }

  addEventListener("online", send);
  setInterval(send, 4000);
  show(unsent());
  send();
  ready();
})();
