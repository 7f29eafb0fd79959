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
  // Every step carries a key, so that one that did arrive and is sent again is made once.

  const fleet = $("#fleet");
  if (!fleet) return;
  const path = fleet.dataset.path;
  const place = `unsent ${path}`;
  const NEEDS = {
    "sign-in": "Sign in again, come back here, and they are sent.",
    card: "The card on this device does not open any more: open your new card on it, or sign in, and they are sent.",
    page: "Load this page again, and they are sent.",
  };
  const TWICE = 500; // two taps on the same button within so many ms are one
  let memory = []; // where the browser keeps nothing
  let isSending = false; // kept steps are on their way
  let isOnItsWay = false; // a step of the page is on its way
  let asked = null; // the page that was asked for meanwhile
  let last = { button: null, at: 0 };

  function unsent() {
    try {
      return JSON.parse(localStorage.getItem(place) || "[]");
    } catch {
      return memory;
    }
  }

  function keep(steps) {
    memory = steps;
    try {
      if (steps.length) localStorage.setItem(place, JSON.stringify(steps));
      else localStorage.removeItem(place);
    } catch {
      // kept in memory, as long as the page is open
    }
    show(steps);
  }

  function line(className, text) {
    $(`.${className}`)?.remove();
    if (!text) return;
    const said = Object.assign(document.createElement("p"), { className: `waiting ${className}`, textContent: text });
    said.setAttribute("role", "status");
    $("main").prepend(said);
  }

  function show(steps) {
    const say = steps.at(-1)?.say;
    const many = `${steps.length} step${steps.length === 1 ? "" : "s"}`;
    line("waiting-steps", steps.length && `Waiting for the network: ${many}${say ? `, last “${say}”` : ""}. Kept on this device.`);
  }

  function keepStep({ formData, triggeringEvent }) {
    const button = triggeringEvent?.submitter;
    const say = button?.dataset.say || button?.textContent.trim() || "";
    keep([...unsent(), { body: String(new URLSearchParams(formData)), say }]);
  }

  const isStep = ({ elt, verb }) => verb === "post" && elt.closest?.("#fleet");

  document.addEventListener("htmx:configRequest", (event) => {
    const { parameters, triggeringEvent } = event.detail;
    if (!isStep(event.detail) || !parameters.key) return;
    const button = triggeringEvent?.submitter || event.detail.elt;
    if (button === last.button && Date.now() - last.at < TWICE) return event.preventDefault();
    last = { button, at: Date.now() };
    parameters.key = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  });

  // What is tapped while a step is on its way: the next step follows it, and the last page that was asked for.

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (!elt.closest?.("#fleet") || elt.matches("[data-quick]")) return;
    const step = isStep(requestConfig);
    if (!isOnItsWay && !isSending) {
      isOnItsWay = Boolean(step);
      return;
    }
    event.preventDefault();
    if (step) keepStep(requestConfig);
    else asked = elt.getAttribute("href");
  });

  document.addEventListener("htmx:sendError", (event) => {
    if (isStep(event.detail.requestConfig)) keepStep(event.detail.requestConfig);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isStep(event.detail.requestConfig)) return;
    isOnItsWay = false;
    if (asked || unsent().length) send();
  });

  async function send() {
    if (isSending || isOnItsWay) return;
    isSending = true;
    const lock = (work) => (navigator.locks ? navigator.locks.request(place, work) : work());
    const { sent, refused, stopped } = await lock(sendAll);
    isSending = false;
    const page = asked;
    asked = null;
    if (sent || page) await htmx.ajax("GET", page || path, { target: "#fleet", swap: "outerHTML" });
    line("waiting-refused", refused.length && `Could not be done any more: ${refused.join(", ")}.`);
    if (stopped) line("waiting-refused", stopped);
  }

  /** Send what is kept, one after the other, until there is no network or the site asks for something else first. */
  async function sendAll() {
    const done = { sent: 0, refused: [], stopped: "" };
    try {
      for (let steps = unsent(); steps.length; steps = unsent()) {
        const [first] = steps;
        const body = new URLSearchParams(first.body);
        const token = $("[name=csrfmiddlewaretoken]");
        if (token) body.set("csrfmiddlewaretoken", token.value);
        const headers = { "HX-Request": "true", "HX-Target": "fleet", "X-Outbox": "1" };
        const answer = await fetch(path, { method: "POST", body, headers });
        if (answer.status >= 500 || [408, 429].includes(answer.status)) break;
        const needs = answer.headers.get("X-Needs");
        if (needs) {
          done.stopped = `The steps that wait are kept on this device. ${NEEDS[needs]}`;
          break;
        }
        if (!answer.ok) done.refused.push(first.say);
        done.sent += 1;
        keep(unsent().slice(1));
      }
    } catch {
      // still no network: the steps stay where they are
    }
    return done;
  }

  addEventListener("online", send);
  setInterval(() => unsent().length && send(), 4000);
  show(unsent());
  if (unsent().length) send();
  ready();
})();
