// Writ's API as this page calls it. Whoever calls is known by a token, or, where a link carried a
// right, by a cookie that no script can read.
import { parse, stringify } from '../pages/json.js';

const LONGEST_MS = 15000;

export class Api {
  // `key` names the app; both are null where a cookie does.
  constructor(key, token) {
    this.key = key;
    this.token = token;
  }

  // {status, body}; status 0: nothing came back, and whether anything arrived is not known; body
  // null: none, or nothing of Writ's (a proxy's page, say).
  async call(method, path, body) {
    const headers = {};
    if (this.key) headers['X-Api-Key'] = this.key;
    if (this.token) headers.Authorization = this.token;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    try {
      const response = await fetch(path.replace(/^\//, ''), {
        method,
        headers,
        body: body === undefined ? undefined : stringify(body),
        cache: 'no-store',
        credentials: 'same-origin',
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      return { status: response.status, body: parsed(await response.text()) };
    } catch {
      return { status: 0, body: null };
    }
  }

  get(path, query = {}) {
    const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '' && value !== null && value !== undefined));
    const text = search.toString();
    return this.call('GET', text ? `${path}?${text}` : path);
  }

  post(path, body) {
    return this.call('POST', path, body);
  }
}

function parsed(text) {
  try {
    return text ? parse(text) : null;
  } catch {
    return null;
  }
}

// What a header can carry: anything else never leaves the browser.
export const canBeSent = (text) => /^[\x20-\x7e]*$/.test(text) && text.length < 6000;

// Why what stands there may be old; null where the answer was one.
export function troubleOf({ status, body }) {
  const again = 'What you see may be old; trying again…';
  if (status === 200 && body) return null;
  if (status === 0) return `No connection to Writ. ${again}`;
  if (status === 200 || (status >= 300 && !(body && body.code))) return `Something other than Writ answers at this address (${status}). ${again}`;
  if (status === 503) return `Writ is there, but can’t look right now: ${body.title}. ${again}`;
  if (status >= 500) return `Something is wrong in Writ itself (${status}); its log says what. ${again}`;
  const faults = (body.errors || []).map(({ pointer, detail }) => `${pointer.replace(/^[/?]/, '')} ${detail}`).join('; ');
  return `Writ refuses to show this (${status}): ${faults || body.detail || body.title}.`;
}

// Who a token says it is for, to greet them by; what it is worth, the server says.
export function claimsOf(token) {
  try {
    const payload = token.replace(/^bearer /i, '').split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

// The server's clock, as its answers tell it.
export const clock = {
  ahead: 0,
  now() {
    return Date.now() + this.ahead;
  },
  set(time) {
    const server = Date.parse(time);
    if (!Number.isNaN(server)) this.ahead = server - Date.now();
  },
};
