/** The page: the parts beside each view, and the choice of the view. */
import { openForm } from "./dialog.js";
import { field, fill, h, list, notice, set, time } from "./dom.js";
import { answerOf, callsView, subjectOf } from "./calls.js";
import { faultsView } from "./faults.js";
import { jobsView } from "./jobs.js";
import { recordsView } from "./records.js";
import { known, listen, post, whenKnown } from "./service.js";
import { settingsView } from "./settings.js";

/** @import { Call, Overview } from "../../index" */
/** @typedef {{ title: string, element: HTMLElement, update: () => void }} View */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const side = /** @type {HTMLElement} */ (document.getElementById("side"));
const live = /** @type {HTMLElement} */ (document.getElementById("live"));

/** @type {Record<string, () => View>} */
const views = { jobs: jobsView, calls: callsView, faults: faultsView, settings: settingsView };
const latestCalls = 6;

const domains = h("ul");
const showDomains = list(
  domains,
  (/** @type {Overview["domains"][number]} */ domain) => domain.id,
  (domain) => {
    const link = h("a", { href: `#/domain/${encodeURIComponent(domain.name)}` });
    return {
      element: h("li", {}, link),
      update(/** @type {Overview["domains"][number]} */ { name, records, status }) {
        fill(
          link,
          h("span", { class: "grow" }, name),
          status === "enable" ? null : h("span", { class: "badge held" }, status),
          h(
            "span",
            { class: "number" },
            h("span", { class: "hidden" }, " with "),
            records.toLocaleString("en"),
            h("span", { class: "hidden" }, " records"),
          ),
        );
      },
    };
  },
);
const latest = h("ul", { class: "latest" });
const showLatest = list(
  latest,
  (/** @type {Call} */ call) => call.number,
  (call) => ({
    element: h(
      "li",
      {},
      h("span", { class: "grow" }, call.operation),
      answerOf(call),
      h("small", {}, `${time(call.at)} ${subjectOf(call)}`),
    ),
    update: () => undefined,
  }),
);
/** @type {Record<string, HTMLElement>} */
const numbers = Object.fromEntries(Object.keys(views).map((name) => [name, h("span", { class: "number" })]));
side.append(
  h(
    "div",
    { class: "side-head" },
    h("h2", {}, "Domains"),
    h("button", { class: "quiet", onclick: addDomain, "aria-label": "Add a domain" }, "Add"),
  ),
  domains,
  h("h2", {}, "Service"),
  h(
    "ul",
    {},
    ...Object.keys(views).map((name) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `#/${name}` },
          h("span", { class: "grow" }, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
          numbers[name],
        ),
      ),
    ),
  ),
  h("div", { class: "wide-only" }, h("h2", {}, "Latest calls"), latest),
);

function addDomain() {
  const name = h("input", {
    placeholder: "example.org",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "none",
  });
  openForm({
    title: "Add a domain",
    action: "Add domain",
    body: [field("Name", name)],
    send: async () => {
      if (!/^[^\s.]+(\.[^\s.]+)+$/.test(name.value.trim()))
        throw new Error("Give a domain's name, such as example.org");
      const added = await post("domain/add", { name: name.value.trim() });
      notice(`Added ${added.name}`);
      location.hash = `#/domain/${encodeURIComponent(added.name)}`;
    },
  });
}

/** @type {View | null} */
let view = null;
let route = "";

/** Shows the view of the address. Default: the first domain. */
function follow() {
  const [kind = "", name = ""] = location.hash.replace(/^#\//, "").split("/").map(decodeURIComponent);
  const first = known.overview?.domains[0]?.name;
  const domain = kind === "domain" ? name : first;
  if (views[kind] === undefined && domain === undefined) return;
  const next = views[kind] === undefined ? `domain/${domain ?? ""}` : kind;
  if (next === route) return;
  const moved = route !== "";
  route = next;
  view = (views[kind] ?? (() => recordsView(domain ?? "")))();
  main.replaceChildren(view.element);
  document.title = `${view.title} · DNS console`;
  for (const link of side.querySelectorAll("a"))
    set(link, { "aria-current": decodeURIComponent(link.hash) === `#/${route}` ? "page" : null });
  view.update();
  if (moved) main.focus({ preventScroll: true });
}

function update() {
  const { overview, calls, line } = known;
  const words = {
    connecting: "Connecting",
    live: "Live",
    lost: "Connection lost: trying again",
    closed: "The emulator was started anew: open the address that it printed",
  };
  fill(live, words[line]);
  set(live, { class: `live ${line}` });
  if (overview === null) return;
  showDomains(overview.domains);
  showLatest(calls.slice(0, latestCalls));
  const open = overview.jobs.filter(({ state }) => state !== "done").length;
  const on = overview.faults.filter(({ spec, hits }) => spec.count === undefined || hits < spec.count).length;
  for (const [name, count] of /** @type {const} */ ([
    ["jobs", open],
    ["calls", overview.calls.kept],
    ["faults", on],
  ])) {
    const element = numbers[name];
    if (element !== undefined) fill(element, count === 0 ? "" : count.toLocaleString("en"));
    if (element !== undefined && name !== "calls")
      set(element, { class: `number ${count > 0 ? "hot" : ""}` });
  }
  follow();
  view?.update();
  for (const link of side.querySelectorAll("a"))
    set(link, { "aria-current": decodeURIComponent(link.hash) === `#/${route}` ? "page" : null });
}

document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", follow);
whenKnown(update);
listen();
