// What this tab remembers. It may be unreadable, or not be allowed to remember anything: then it
// asks anew.
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

// `value` null forgets it.
export function keep(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // only a reload asks again
  }
}
