// The frame of the page: which part is shown, settings, files dropped anywhere.
import { h, notice } from "./dom.js";
import { keep, settings } from "./settings.js";
import { LobbyPage, upload } from "./lobby.js";
import { ReplayPage } from "./replay.js";
import { TablePage } from "./table.js";
import { loadTexts, t } from "./texts.js";
import { installTiles } from "./tiles.js";

const root = document.getElementById("page");
let page = null;

function route() {
  if (page) page.close();
  document.querySelectorAll("dialog").forEach((one) => one.remove());
  const [path, query] = location.hash.split("?");
  const [, kind, id] = path.split("/");
  document.body.dataset.page = kind || "lobby";
  if (kind === "table" && id) page = new TablePage(root, id);
  else if (kind === "replay" && id) page = new ReplayPage(root, id, new URLSearchParams(query));
  else page = new LobbyPage(root, new URLSearchParams(query));
}

function dress() {
  document.documentElement.lang = settings.language;
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  document.getElementById("home").setAttribute("aria-label", `Suzaku: ${t("back")}`);
  document.getElementById("open-settings").setAttribute("aria-label", t("settings"));
}

function openSettings() {
  const choose = (name, options) =>
    h(
      "label.field",
      h("span", t(name)),
      h(
        "select",
        {
          name,
          onchange: async (event) => {
            keep(name, event.target.value);
            if (name === "language") await loadTexts().catch(() => notice(t("no_server")));
            dress();
            again();
          },
        },
        options.map(([key, text]) => h("option", { value: key, selected: settings[name] === key }, text)),
      ),
    );
  const check = (name) =>
    h(
      "label.check",
      h("input", {
        type: "checkbox",
        name,
        checked: settings[name],
        onchange: (event) => {
          keep(name, event.target.checked);
          if (page && page.draw) page.draw();
        },
      }),
      t(`opt_${name}`),
    );
  const dialog = h(
    "dialog.settings",
    { "aria-label": t("settings") },
    h("h2", t("settings")),
    choose("language", [
      ["en", "English"],
      ["ja", "日本語"],
      ["zh", "中文"],
    ]),
    choose(
      "theme",
      ["auto", "light", "dark"].map((name) => [name, t(name)]),
    ),
    choose(
      "tiles",
      ["labels", "classic", "numbers"].map((name) => [name, t(name)]),
    ),
    ["waits", "hints", "autoPass", "autoWin", "autoDrawn", "confirm"].map(check),
    h("p.note", t("keys")),
    h("div.buttons", h("button.main", { type: "button", onclick: () => dialog.close() }, t("close"))),
  );
  const again = () => {
    dialog.close();
    if (page && page.draw) page.draw();
    else route();
    openSettings();
  };
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

installTiles();
dress();
document.getElementById("open-settings").addEventListener("click", openSettings);
addEventListener("hashchange", route);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]);
});
route();
