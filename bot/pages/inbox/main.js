// The inbox: the calls that wait for one person; or, for an operator, all of an app's; or the one
// that a link was made for.
import { announce, said, show } from '../pages/dom.js';
import { Api, canBeSent, claimsOf, clock, troubleOf } from './api.js';
import { Card } from './card.js';
import { Live } from './live.js';
import { filtersOf, onFilters, trailButton } from './operator.js';
import { keep, kept } from './store.js';

const STORE = 'writ.inbox';
const LINK = 'writ.inbox.link';
const AT_ONCE = 5; // calls that are looked up by themselves in one look
const SETTLING_MS = 20000; // after an answer, what becomes of it is looked for more often
const find = (id) => document.getElementById(id);

class Inbox {
  // kind: `person`, `operator` or `link`
  constructor(kind, api, me, pointedAt) {
    this.kind = kind;
    this.api = api;
    this.me = me;
    this.pointedAt = pointedAt;
    this.live = find('live');
    this.cards = new Map(); // by approval
    this.next = null;
    this.round = 0; // of filters: an answer to older ones comes too late
    this.answeredAt = -Infinity;
    this.poll = new Live(() => this.lookOnce(), () => this.settles());
    this.more = kind === 'operator' ? (card) => [trailButton(card)] : null;
    this.ticker = setInterval(() => {
      for (const card of this.cards.values()) card.tick();
    }, 500);
  }

  close() {
    this.poll.stop();
    clearInterval(this.ticker);
  }

  look() {
    return this.poll.now();
  }

  settles() {
    return performance.now() - this.answeredAt < SETTLING_MS && [...this.cards.values()].some((card) => !card.isHeld && !card.isOver);
  }

  tellTrouble(words) {
    if (this.trouble && !words) announce(this.live, 'The connection is back');
    if (words || this.trouble) show(find('trouble'), words || '');
    this.trouble = words;
  }

  // The cards that somebody is at work on: nothing that they typed goes while they look elsewhere.
  atWork() {
    return [...this.cards].filter(([, card]) => card.isAtWork);
  }

  adopt(cards) {
    for (const [id, card] of cards) {
      card.owner = this;
      this.cards.set(id, card);
      find('calls').append(card.element);
    }
  }

  // ---- looking ----

  async lookOnce() {
    const round = this.round;
    const answer = this.kind === 'link'
      ? await this.api.get(`/v1/inbox/${encodeURIComponent(this.pointedAt)}`)
      : await this.api.get('/v1/inbox', this.kind === 'operator' ? { ...filtersOf(find('filters')), limit: 50 } : {});
    if (answer.status === 401 && this.kind === 'link' && this.cards.size) {
      this.close(); // what is shown stays: the link was good until its call was over
      for (const card of this.cards.values()) card.tick();
      return true;
    }
    if (answer.status === 401) {
      this.signInAgain(WHY_NOT[answer.body && answer.body.code] || WHY_NOT.bad_token);
      return true;
    }
    if (answer.status === 403 && this.kind !== 'link') {
      this.signInAgain('That token names nobody whose inbox this could be.');
      return true;
    }
    if (this.kind === 'link' && answer.status === 404) {
      this.close();
      tellOver('This call can’t be shown any more', 'It is gone, or you are no member of its conversation now.');
      return true;
    }
    const trouble = troubleOf(answer);
    if (round === this.round) this.tellTrouble(trouble);
    if (trouble) return false;
    if (round !== this.round) return true;
    this.take(this.kind === 'link' ? { calls: [answer.body], now: answer.body.now } : answer.body);
    await this.followUp(new Set((answer.body.calls || [answer.body]).map((view) => view.approval.approval_id)));
    return true;
  }

  take(list) {
    clock.set(list.now);
    const place = find('calls');
    const isFirst = !this.everTook;
    this.everTook = true;
    let fresh = 0;
    // Newest first; what came since stands above what is there.
    for (const view of [...list.calls].reverse()) {
      const id = view.approval.approval_id;
      if (this.cards.has(id)) {
        this.cards.get(id).update(view);
        continue;
      }
      fresh += 1;
      const card = new Card(view, this);
      this.cards.set(id, card);
      place.prepend(card.element);
    }
    if (!this.older) this.next = list.next_cursor || null;
    this.unsure = list.membership_unknown || [];
    if (fresh && !isFirst) announce(this.live, fresh === 1 ? 'A call waits' : `${fresh} more calls`);
    this.tell();
    if (isFirst) this.point();
  }

  // Calls that left the list: what became of them, a few at a time.
  async followUp(listed) {
    if (this.kind === 'link') return;
    const left = [...this.cards].filter(([id, card]) => !listed.has(id) && !card.isOver).map(([, card]) => card);
    left.sort((one, other) => (one.lookedAt || 0) - (other.lookedAt || 0));
    for (const card of left.slice(0, AT_ONCE)) await this.refresh(card);
    this.tell();
  }

  // Looks up one call anew. Whether it is known.
  async refresh(card) {
    card.lookedAt = Date.now();
    const { status, body } = await this.api.get(`/v1/inbox/${encodeURIComponent(card.approval.approval_id)}`);
    if (status === 200 && body) {
      clock.set(body.now);
      card.update(body);
      this.tell();
    }
    if (status === 404 && !card.gone) {
      card.gone = true;
      this.cards.delete(card.approval.approval_id);
      card.element.remove();
      this.tell();
    }
    return status === 200;
  }

  async loadOlder() {
    const { status, body } = await this.api.get('/v1/inbox', { ...(this.kind === 'operator' ? filtersOf(find('filters')) : {}), limit: 50, cursor: this.next });
    if (status !== 200 || !body) return;
    this.older = true;
    this.next = body.next_cursor;
    for (const view of body.calls) {
      if (this.cards.has(view.approval.approval_id)) continue;
      const card = new Card(view, this);
      this.cards.set(view.approval.approval_id, card);
      find('calls').append(card.element);
    }
    this.tell();
  }

  startOver() {
    this.round += 1;
    this.older = false;
    this.everTook = false;
    for (const [id, card] of this.cards) {
      if (card.isAtWork) continue;
      card.element.remove();
      this.cards.delete(id);
    }
    show(find('summary'), '');
    return this.look();
  }

  // ---- answering ----

  async send(view, allowed, reason, edited) {
    const body = { allowed };
    if (this.kind === 'operator') {
      if (reason) body.reason = reason;
    } else {
      body.tool_call_id = view.approval.call_id;
      body.request_id = view.approval.approval_id;
      if (reason) body.summary = reason;
    }
    if (edited !== undefined) body.edited_arguments = edited;
    this.answeredAt = performance.now();
    const answer = await this.api.post(view.answer_to, body);
    this.look();
    return answer;
  }

  signInAgain(why) {
    this.close();
    if (this.kind === 'link') {
      tellOver('This link has ended', 'A link is good until its call is no longer asked about. If the call still waits, answer it in the chat, or open the inbox with a token.');
      return;
    }
    keep(STORE, null);
    askWho(why, this.pointedAt);
  }

  // ---- what is said around them ----

  tell() {
    const held = [...this.cards.values()].filter((card) => card.isHeld).length;
    const settled = [...this.cards.values()].filter((card) => card.isOver && !card.isHeld).length;
    let words;
    if (this.kind === 'operator') words = this.cards.size ? `${this.cards.size}${this.next ? ' or more' : ''} ${this.cards.size === 1 ? 'call' : 'calls'}, ${held} waiting` : 'No call is like that.';
    else if (this.kind === 'link') words = '';
    else if (held) words = held === 1 && !this.next ? 'One call waits for you.' : `${held}${this.next ? ' or more' : ''} calls wait for you.`;
    else words = 'Nothing waits for you.';
    if (this.unsure && this.unsure.length) words += ` The chat platform can’t say right now whether you are a member of ${this.unsure.length === 1 ? this.unsure[0] : `${this.unsure.length} conversations`}: what waits there is not shown.`;
    show(find('summary'), words);
    find('more').hidden = !this.next;
    find('clear').hidden = this.kind !== 'person' || settled === 0;
    document.title = held && this.kind === 'person' ? `(${held}) Inbox · Writ` : 'Inbox · Writ';
  }

  putAway() {
    for (const [id, card] of this.cards) {
      if (!card.isOver || card.isHeld) continue;
      card.element.remove();
      this.cards.delete(id);
    }
    this.tell();
    find('calls').focus();
  }

  async point() {
    if (!this.pointedAt || this.kind === 'link') return;
    if (!this.cards.has(this.pointedAt)) {
      const { status, body } = await this.api.get(`/v1/inbox/${encodeURIComponent(this.pointedAt)}`);
      if (status !== 200) {
        show(find('trouble'), 'The call that the link named is not yours to see, or is gone.');
        return;
      }
      const card = new Card(body, this);
      this.cards.set(this.pointedAt, card);
      find('calls').prepend(card.element);
      this.tell();
    }
    const { element } = this.cards.get(this.pointedAt);
    element.classList.add('pointed');
    element.scrollIntoView({ block: 'nearest' });
  }
}

let inbox = null;

const WHY_NOT = {
  token_expired: 'Your sign-in has expired.',
  unknown_api_key: 'No app here has that key.',
  bad_token: 'That token is not good here.',
};

function only(id) {
  for (const section of ['sign-in', 'inbox', 'over']) find(section).hidden = section !== id;
}

function tellOver(title, text) {
  only('over');
  show(find('trouble'), '');
  find('over-title').textContent = title;
  find('over-text').textContent = text;
  find('over').focus();
}

async function open(kind, api, me, pointedAt) {
  if (inbox) inbox.close();
  // Who signs in again finds what they had typed; for anybody else nothing is left.
  const working = inbox && inbox.kind === kind && inbox.me === me && kind !== 'link' ? inbox.atWork() : [];
  find('calls').replaceChildren();
  show(find('trouble'), '');
  document.body.classList.toggle('operator', kind === 'operator');
  find('filters').hidden = kind !== 'operator';
  find('sign-out').hidden = kind === 'link';
  const who = { person: ['of ', said(me)], operator: ['of the app, for an operator'], link: ['one call, opened from a link'] }[kind];
  find('who').replaceChildren(...who);
  only('inbox');
  inbox = new Inbox(kind, api, me, pointedAt);
  inbox.adopt(working);
  if (kind === 'operator') onFilters(find('filters'), () => inbox.startOver());
  await inbox.poll.start();
}

function askWho(why, pointedAt) {
  only('sign-in');
  find('sign-out').hidden = true;
  find('who').replaceChildren();
  show(find('sign-in-fault'), why || '');
  find('sign-in').dataset.pointedAt = pointedAt || '';
  find('token').focus();
}

async function signIn(key, token, pointedAt) {
  const claims = claimsOf(token);
  if (claims.server === true) {
    askWho('That is the server’s own token, which belongs in no browser. `writ token --operator` prints one for you.', pointedAt);
    return;
  }
  if (!canBeSent(token) || !canBeSent(key)) {
    askWho('That is no token: it has letters that no token has, or is far too long. Was more copied than the token?', pointedAt);
    return;
  }
  keep(STORE, { key, token });
  await open(claims.writ === 'operator' ? 'operator' : 'person', new Api(key, token), typeof claims.user_id === 'string' ? claims.user_id : '', pointedAt);
}

// The key of the node's one app; '' where it has several.
async function keyOfTheApp() {
  const { status, body } = await new Api(null, null).get('/inbox/app');
  return status === 200 && body.api_key ? body.api_key : '';
}

// A link's right becomes a cookie that no script reads and that goes to this call alone.
async function exchange(approval, key, right) {
  const { status, body } = await new Api(key, null).post(`/v1/inbox/${encodeURIComponent(approval)}/right`, { right });
  if (status === 204) {
    keep(LINK, approval);
    await open('link', new Api(null, null), '', approval);
  } else if (status === 0 || status === 503) {
    tellOver('Writ can’t be reached', 'Open the link once more in a moment.');
  } else if (status >= 500) {
    tellOver('Something is wrong in Writ', `It could not look at the link (${status}). Open it once more in a moment.`);
  } else if (body && body.code === 'token_expired') {
    tellOver('This link has ended', 'What it was made for is no longer asked about. Nothing was sent because of it.');
  } else {
    tellOver('This link is not good', 'It was cut or changed on its way, or it is not from here.');
  }
}

// Who this tab knows; null where it knows nobody.
function whoWasHere() {
  const who = kept(STORE);
  return who && typeof who.token === 'string' && typeof who.key === 'string' ? who : null;
}

let begun = 0;

async function begin() {
  const mine = (begun += 1); // a newer address overtakes this one
  const fragment = new URLSearchParams(location.hash.slice(1));
  const pointedAt = new URLSearchParams(location.search).get('approval') || fragment.get('approval');
  // What was in the address bar goes into no history, bookmark or screenshot.
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  const before = whoWasHere();
  if (fragment.get('right') && pointedAt) {
    await exchange(pointedAt, fragment.get('key'), fragment.get('right'));
    return;
  }
  const onlyKey = fragment.get('key') || (before && !fragment.get('token') && before.key) || (await keyOfTheApp());
  if (mine !== begun) return;
  find('key').value = onlyKey;
  find('key-row').hidden = Boolean(onlyKey);
  if (fragment.get('token')) await signIn(onlyKey, fragment.get('token'), pointedAt);
  else if (before) await signIn(before.key, before.token, pointedAt);
  else if (pointedAt && kept(LINK) === pointedAt) await open('link', new Api(null, null), '', pointedAt);
  else askWho('', pointedAt);
}

find('sign-in-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const token = find('token').value.trim();
  if (!token) {
    show(find('sign-in-fault'), 'A token is wanted.');
    find('token').focus();
    return;
  }
  find('token').value = '';
  signIn(find('key').value.trim(), token, find('sign-in').dataset.pointedAt);
});
find('sign-out').addEventListener('click', () => {
  keep(STORE, null);
  if (inbox) inbox.close();
  location.replace(location.pathname);
});
find('more').addEventListener('click', () => inbox.loadOlder());
find('clear').addEventListener('click', () => inbox.putAway());
// A link that is opened in this tab, or an address that is put into it.
window.addEventListener('hashchange', () => {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (['token', 'right', 'approval'].some((name) => fragment.has(name))) begin();
});

begin();
