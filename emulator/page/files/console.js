/** Replaces the live parts of the page if they have changed, and sends its forms to the admin interface. */
const main = document.getElementById("main");
const state = document.getElementById("state");
const notice = document.getElementById("notice");
let request = new XMLHttpRequest();
let timer = 0;

function refresh() {
  clearTimeout(timer);
  request.abort();
  request = new XMLHttpRequest();
  request.open("GET", location.href);
  // The policy forbids other ways to parse HTML.
  request.responseType = "document";
  request.onload = ({ target }) => {
    const { status, response } = target;
    if (status === 200) renew(response);
    show(status === 403 ? "The emulator was started anew: open the address that it printed" : "Live");
  };
  request.onerror = () => show("Connection lost: trying again");
  request.send();
}

function show(word) {
  if (state.textContent !== word) state.textContent = word;
  state.className = word === "Live" ? "live" : "";
  timer = setTimeout(refresh, 500);
}

const nameOf = (control) => control.ariaLabel ?? control.textContent;

/** The focus stays on the control of the same name. */
function renew(page) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.getElementById(part.id);
    if (next === null || part.isEqualNode(next)) continue;
    const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    part.replaceWith(next);
    if (focused === null) continue;
    const same = [...next.querySelectorAll("a, button")].find((control) => nameOf(control) === focused);
    (same ?? main).focus({ preventScroll: true });
  }
}

function valueOf({ type, checked, value, valueAsNumber }) {
  if (type === "checkbox") return checked;
  if (type === "number") return value === "" ? undefined : valueAsNumber;
  return value.trim();
}

async function send({ elements }, { dataset: { route, input, then }, textContent, ariaLabel }) {
  const controls = [...elements].filter(({ name }) => name !== "");
  const values = Object.fromEntries(controls.map((control) => [control.name, valueOf(control)]));
  const body = JSON.stringify({ ...JSON.parse(input), ...values });
  const response = await fetch(`api/${route}`, { method: "POST", body }).catch(() => undefined);
  const error = response?.ok ? "" : ((await response?.json())?.error ?? "The emulator does not answer");
  if (error === "" && then !== undefined) return location.assign(then);
  notice.textContent = error || `Done: ${ariaLabel ?? textContent}`;
  notice.className = error && "bad";
  refresh();
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter !== null) void send(event.target, event.submitter);
});
document.addEventListener("input", ({ target: { form } }) => {
  if (form.id !== "filter") return;
  history.replaceState(null, "", `?${new URLSearchParams(new FormData(form))}`);
  refresh();
});
refresh();
