/* What is sent without a network is kept on the device, sent when it is back, and counted once: <form data-outbox="…">
   names what it is. Also what makes pages readable offline, where the browser allows it (HTTPS, or this computer). */
(() => {
  "use strict";

  const PLACE = "outbox";
  const PATIENCE = 10_000;
  const AGAIN = 5_000;
  const LATER = [408, 429, 502, 503, 504]; // too slow or too quick, nobody could take it, no database, the disk full

  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(PLACE) || "[]");
    } catch {
      return [];
    }
  };

  function write(entries) {
    try {
      if (entries.length) localStorage.setItem(PLACE, JSON.stringify(entries));
      else localStorage.removeItem(PLACE);
    } catch {
      return false; // a browser that keeps nothing: the form stays as it is, to be sent again by hand
    }
    show(entries);
    document.dispatchEvent(new CustomEvent("outbox", { detail: entries }));
    return true;
  }

  const change = (id, facts) => write(read().map((one) => (one.id === id ? { ...one, ...facts } : one)));
  const remove = (id) => write(read().filter((one) => one.id !== id));
  const make = (tag, facts, ...children) => {
    const element = Object.assign(document.createElement(tag), facts);
    element.append(...children);
    return element;
  };
  const time = (at) => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

  // ── What waits, and what was refused ───────────────────────────────────────────────────────────────────

  /** A row of this page shows by itself how far it is (results.js). */
  const isHere = (one) => one.row && one.url === location.pathname && document.getElementById(one.row);

  function show(all, said = "") {
    const lines = all.filter((one) => !one.needs && !isHere(one)).map((one) => (one.why ? refused(one) : waiting(one)));
    for (const [needs, says] of Object.entries(LACKING)) {
      const kept = all.filter((one) => one.needs === needs);
      if (kept.length) lines.unshift(lacking(kept, says));
    }
    if (said) lines.unshift(make("p", { textContent: said }));
    document.querySelector(".outbox")?.remove();
    if (!lines.length) return;
    const box = make("section", { className: "outbox" }, ...lines);
    box.setAttribute("role", "status");
    box.setAttribute("aria-label", "Kept on this device");
    document.querySelector("main")?.prepend(box);
  }

  const waiting = (one) =>
    make("p", { className: "outbox-waiting", textContent: `Waiting for the network: ${one.say} (${time(one.at)}).` });

  /** What the site asks for before it takes anything (X-Needs), and the way there, which leads back to this page. */
  const LACKING = {
    "sign-in": {
      text: "You are signed out. Sign in again, and what waits is sent.",
      link: "Sign in again",
      href: () => `/sign-in/?next=${encodeURIComponent(location.pathname + location.search)}`,
    },
    card: {
      text:
        "The card on this phone does not open any more, or is another player’s. Ask at the desk for your new card " +
        "and open it on this phone; then what waits is sent.",
    },
    page: {
      text: "The site does not recognize this page. Allow cookies for this address and load it again; then what waits is sent.",
      link: "Load it again",
      href: () => location.href,
    },
  };

  function lacking(kept, { text, link, href }) {
    const many = `${kept.length} ${kept.length === 1 ? "entry is" : "entries are"} kept on this device: `;
    const names = kept.map((one) => `${one.say} (${time(one.at)})`).join(", ");
    const box = make("div", { className: "outbox-lacking" }, make("p", { textContent: text }));
    box.append(make("p", { className: "small", textContent: `${many}${names}.` }));
    if (link && location.pathname !== "/sign-in/") {
      box.append(make("p", {}, make("a", { className: "button", href: href(), textContent: link })));
    }
    return box;
  }

  function refused(one) {
    const see = make("button", { className: "button", type: "button", textContent: "See what counts" });
    const drop = make("button", { className: "button button-quiet", type: "button", textContent: "Forget it" });
    see.addEventListener("click", () => openAgain(one));
    drop.addEventListener("click", () => remove(one.id));
    const text = make("p", { textContent: `Not counted: ${one.say} (${time(one.at)}). ${one.why}` });
    return make("div", { className: "outbox-refused" }, text, make("p", { className: "cluster" }, see, drop));
  }

  /** Send it as the form it was: the page that answers shows what is stored and what was sent, side by side. */
  function openAgain(one) {
    remove(one.id);
    const form = make("form", { method: "post", action: one.url, hidden: true });
    for (const [name, value] of new URLSearchParams(withToken(one.body))) {
      form.append(make("input", { type: "hidden", name, value }));
    }
    document.body.append(form);
    form.submit();
  }

  // ── Sending ────────────────────────────────────────────────────────────────────────────────────────────

  const tokenIn = (page) => page.querySelector("[name=csrfmiddlewaretoken]")?.value;
  let token; // newer than that of this page, once somebody signed in elsewhere

  function withToken(body) {
    const sent = new URLSearchParams(body);
    const newest = token || tokenIn(document);
    if (newest) sent.set("csrfmiddlewaretoken", newest);
    return String(sent);
  }

  /** The answer; a redirect comes as 204 with the place in X-Location. Throws without a network. */
  async function post(entry) {
    const response = await postOnce(entry);
    if (response.headers.get("X-Needs") !== "page") return response;
    const answer = await fetch("/sign-in/"); // whoever is signed in is led on to a page that has a form, too
    token = tokenIn(new DOMParser().parseFromString(await answer.text(), "text/html"));
    return postOnce(entry);
  }

  function postOnce({ url, body, row, by }) {
    const part = row ? { "HX-Request": "true", "HX-Target": row } : {};
    const holder = by ? { "X-By": by } : {};
    return fetch(url, {
      method: "POST",
      body: withToken(body),
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Outbox": "1", ...part, ...holder },
      signal: AbortSignal.timeout(PATIENCE),
    });
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const say = form.dataset.outbox;
    if (!say || event.defaultPrevented || form.hasAttribute("hx-post") || event.submitter?.name === "preview") return;
    event.preventDefault();
    const button = event.submitter;
    const url = new URL(button?.getAttribute("formaction") || form.getAttribute("action") || "", location.href).pathname;
    const entry = { url, body: String(new URLSearchParams(new FormData(form, button))), say, by: form.dataset.by };
    form.setAttribute("aria-busy", "true");
    try {
      const response = await post(entry);
      const needs = response.headers.get("X-Needs");
      if (needs) keep({ ...entry, needs }, LACKING[needs].text);
      else if (LATER.includes(response.status)) keep(entry, await sentenceOf(response));
      else await answer(response);
    } catch {
      keep(entry, "Not connected, so nothing was sent.");
    } finally {
      form.removeAttribute("aria-busy");
    }
  });

  /** What the site says of itself when it can't take anything; a proxy in front of it says it less well. */
  async function sentenceOf(response) {
    const isPlain = response.headers.get("Content-Type")?.startsWith("text/plain");
    return (isPlain && (await response.text()).trim()) || "The store’s computer isn’t answering right now.";
  }

  function keep(entry, why) {
    if (!window.outbox.add(entry)) show([], `${why} What you entered is still here.`);
    document.querySelector(".outbox")?.scrollIntoView({ block: "nearest" });
  }

  async function answer(response) {
    const place = response.headers.get("X-Location");
    if (place) return place === location.pathname + location.search ? location.reload() : location.assign(place);
    const text = await response.text();
    document.open();
    document.write(text);
    document.close();
  }

  let isSending = false;

  // An answer that comes while this page is left may be newer than the page that follows: that one sends it again.
  let isLeft = false;
  const LEAVING = 2_000; // ms, if it is not left after all

  addEventListener("beforeunload", () => {
    isLeft = true;
    setTimeout(() => (isLeft = false), LEAVING);
  });

  const isDesk = (one) => one.url.includes("/desk/");

  /** Send what waits, in order; what lacks a sign-in holds up nothing that only needs a card. */
  async function flush({ isFirst = false } = {}) {
    if (isSending) return;
    isSending = true;
    const sent = [];
    const held = new Set();
    try {
      let one;
      while ((one = read().find((other) => !other.why && !held.has(isDesk(other))))) {
        const response = await post(one);
        if (LATER.includes(response.status) || response.status >= 500 || isLeft) break;
        const needs = response.headers.get("X-Needs");
        if (needs) {
          held.add(isDesk(one));
          write(read().map((other) => (!other.why && isDesk(other) === isDesk(one) ? { ...other, needs } : other)));
          continue;
        }
        const text = await response.text();
        const isGood = response.status < 400;
        if (isGood) remove(one.id);
        else change(one.id, { needs: undefined, why: whyOf(text) || "Open it to see why." });
        if (isHere(one)) answerRow(one, isGood, text);
        else if (isGood) sent.push(one);
      }
    } catch {
      // still no network: what waits goes on waiting
    }
    isSending = false;
    // Whoever signed in to send it, and is back on its page, sees there what became of it
    if (isFirst && sent.some((one) => one.url === location.pathname)) return location.reload();
    if (sent.length) {
      show(read(), `Sent: ${sent.map((one) => one.say).join(", ")}.`);
      document.querySelectorAll("[data-live]").forEach((part) => htmx.trigger(part, "news"));
    }
  }

  const answerRow = (one, isGood, text) =>
    document.dispatchEvent(new CustomEvent("outbox:answer", { detail: { ...one, isGood, text } }));

  // What results.js sends row by row: in order, each kept until it is answered.
  window.outbox = {
    read,
    remove,
    add(facts) {
      const entry = { id: `${Date.now()}-${Math.random()}`, at: Date.now(), ...facts };
      const isOther = (one) => one.row !== entry.row || one.url !== entry.url;
      const isKept = write([...read().filter((one) => !entry.row || isOther(one)), entry]);
      if (isKept) flush();
      return isKept;
    },
  };

  const REASONS = [".meanwhile-list li", ".error-summary li", ".error-summary", "[role=alert]", ".field-error", ".errorlist", "main h1"];

  /** The sentence with which a page says no. */
  function whyOf(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const said = REASONS.map((place) => page.querySelector(place)).find(Boolean);
    return (said?.textContent || "").replace(/\s+/g, " ").trim();
  }

  addEventListener("online", () => flush());
  addEventListener("storage", (event) => event.key === PLACE && show(read()));
  setInterval(() => flush(), AGAIN);
  show(read());
  flush({ isFirst: true });

  // ── Readable offline ───────────────────────────────────────────────────────────────────────────────────

  if ("serviceWorker" in navigator && !location.pathname.includes("/desk/")) {
    navigator.serviceWorker.register("/sw.js").catch(() => {});
  }
})();
