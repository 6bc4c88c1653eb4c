/** The page: navigation, and the view of the address. */
import { button, known, listen, notice, post } from "./app.js";
import { callsView } from "./calls.js";
import { fill, h } from "./dom.js";
import { faultsView } from "./faults.js";
import { openForm } from "./form.js";
import { jobsView } from "./jobs.js";
import { recordsView } from "./records.js";
import { settingsView } from "./settings.js";

/** @import { Overview } from "../../index" */
/** @import { View } from "./app.js" */

/** @param {string} id */
const part = (id) => document.getElementById(id) ?? document.body;
const main = part("main");

/** @type {Record<string, () => View>} */
const views = { jobs: jobsView, calls: callsView, faults: faultsView, settings: settingsView };
const words = {
  connecting: "Connecting",
  live: "Live",
  lost: "Connection lost: trying again",
  closed: "The emulator was started anew: open the address that it printed",
};

function addDomain() {
  openForm({
    title: "Add a domain",
    action: "Add domain",
    fields: () => ({ name: { label: "Name", attributes: { placeholder: "example.org" } } }),
    send: async ({ name }) => {
      const added = await post("domain/add", { name });
      notice(`Added ${added.name}`);
      location.hash = `#/domain/${encodeURIComponent(added.name)}`;
    },
  });
}

/** @param {Overview} overview @param {string} route */
function navigation({ domains, jobs, calls, faults }, route) {
  /** @param {string} to @param {string} text @param {string | number} count */
  const link = (to, text, count) => {
    const [kind = "", ...name] = to.split("/");
    const href = `#/${[kind, ...name.map(encodeURIComponent)].join("/")}`;
    const current = to === route ? "page" : null;
    return h("li", {}, h("a", { href, "aria-current": current }, text, " ", h("small", {}, count || "")));
  };
  const status = (/** @type {string} */ word) => (word === "enable" ? "" : ` (${word})`);
  return [
    h("div", { class: "bar" }, h("h2", {}, "Domains"), button("Add", addDomain, "Add a domain")),
    h(
      "ul",
      {},
      ...domains.map((each) => link(`domain/${each.name}`, each.name + status(each.status), each.records)),
    ),
    h("h2", {}, "Service"),
    h(
      "ul",
      {},
      link("jobs", "Jobs", jobs.filter(({ state }) => state !== "done").length),
      link("calls", "Calls", calls.kept),
      link("faults", "Faults", faults.length),
      link("settings", "Settings", ""),
    ),
  ];
}

let shown = "";
/** @type {View} */
let view = { title: "", draw: () => [] };

function draw() {
  const { overview, line } = known;
  fill(part("live"), words[line]);
  part("live").className = line;
  if (overview === null) return undefined;
  const [kind = "", name = ""] = location.hash.slice(2).split("/").map(decodeURIComponent);
  const domain = kind === "domain" ? name : (overview.domains[0]?.name ?? "");
  const route = views[kind] === undefined ? `domain/${domain}` : kind;
  fill(part("side"), ...navigation(overview, route));
  if (route !== shown) {
    view = views[kind]?.() ?? recordsView(domain);
    document.title = `${view.title} · DNS console`;
    main.replaceChildren();
    if (shown !== "") main.focus({ preventScroll: true });
    shown = route;
  }
  fill(main, ...view.draw());
  return undefined;
}

part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", draw);
listen(draw);
