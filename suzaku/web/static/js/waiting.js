// The page before a game for several people begins: the address to send, one's name, who is there.
import { h, notice } from "./dom.js";
import { keep, settings } from "./settings.js";
import { t } from "./texts.js";

const HERE = /^(localhost|127\.[\d.]+|\[::1\])$/; // names under which only this machine finds the server

// The address that others can open; null if none of them reaches the server.
export function addressFor(id, addresses) {
  if (!addresses || !HERE.test(location.hostname)) return location.href;
  return addresses.length ? `${addresses[0]}/#/table/${id}` : null;
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent); // only where the page is secure
  } catch {
    getSelection().selectAllChildren(code);
    document.execCommand("copy");
  }
  notice(t("copied"));
}

function address(page) {
  const link = addressFor(page.id, page.addresses);
  const code = h("code", link || location.href);
  return h(
    "div.address",
    h("p.note", t(link ? "send_address" : "only_here")),
    h("p.link", code, h("button", { type: "button", onclick: () => copy(code) }, t("copy"))),
  );
}

// Asks for a name. The form is made once, so that what is being typed stays when others come and go.
function nameForm(page) {
  const input = h("input", { name: "name", maxlength: 20, required: true, autocomplete: "nickname" });
  const give = (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    keep("name", input.value.trim());
    page.send({ type: "name", name: settings.name });
  };
  const label = h("label.field", h("span", t("name_first")), input);
  return h("form.give-name", { onsubmit: give }, label, h("button.main", t("sit_down")));
}

const person = (one) => {
  if (one.free) return t("free");
  if (one.agent) return `${one.name} (${t("agent")})`;
  return one.named === false ? t("nameless") : one.name;
};

export function waitingCard(page) {
  const mine = page.people[page.me];
  const unnamed = mine && mine.named === false;
  if (unnamed) page.nameForm ||= nameForm(page);
  else page.nameForm = null;
  return h(
    "div.card",
    h("h2", t("waiting")),
    address(page),
    page.nameForm,
    h(
      "ul.people",
      page.people.map((one) => h("li", person(one))),
    ),
    unnamed ? null : h("button.main", { type: "button", onclick: () => page.send({ type: "start" }) }, t("begin")),
  );
}
