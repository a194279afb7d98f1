// The secrets of the seats this browser took, by table.
const PREFIX = "suzaku-seat:";
const OWNER = "suzaku-owner:"; // before the secrets of the games it started
const MOST = 100; // that are kept, and that the server is asked about

const ids = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

export const secretOf = (id) => localStorage.getItem(PREFIX + id) || "";
export const keepSecret = (id, token) => localStorage.setItem(PREFIX + id, token);

export const ownerOf = (id) => localStorage.getItem(OWNER + id) || "";
export const keepOwner = (id, secret) => localStorage.setItem(OWNER + id, secret);
export const forgetOwner = (id) => localStorage.removeItem(OWNER + id);

export function secrets() {
  const some = ids().slice(0, MOST);
  return Object.fromEntries(some.map((key) => [key.slice(PREFIX.length), localStorage.getItem(key)]));
}

// When there are many, those of tables that do not run are forgotten. Not before: the server may have been started with
// another file of games, and know them again tomorrow.
export function forgetOld(running) {
  if (ids().length < MOST) return;
  for (const key of ids()) if (!running.has(key.slice(PREFIX.length))) localStorage.removeItem(key);
}
