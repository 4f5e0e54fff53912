// The demo's page: two people's views of one channel, and the CRM's log. It asks demo/state for
// what there is, and answers held calls through Writ's own API, as a chat's client does.
import { button, show } from '../pages/dom.js';
import { Chat } from './chat.js';
import { drawCrm, drawNode } from './crm.js';
import { Happenings } from './happenings.js';
import { addScenes } from './scenes.js';

const POLL_MS = 600;
const POLL_HIDDEN_MS = 4000;
const find = (id) => document.getElementById(id);

async function post(path, body, headers) {
  const response = await fetch(path.replace(/^\//, ''), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const type = response.headers.get('content-type') || '';
  return { status: response.status, problem: type.includes('json') ? await response.json() : {} };
}

// What the parts of the page share.
const demo = {
  state: null,
  ahead: 0, // of the server's clock, in milliseconds
  chats: new Map(), // by person
  happenings: new Happenings(find('happenings')),

  now() {
    return Date.now() + this.ahead;
  },

  nameOf(id) {
    const person = this.state.people.find((one) => one.id === id);
    return person ? person.name : id;
  },

  // What the operator's rule says of a tool that it holds.
  hintOf(name) {
    const rule = this.state.rule.find((one) => one.tool && `crm__${one.tool}` === name);
    return rule ? rule.hint : '';
  },

  person(id) {
    return this.state.people.find((one) => one.id === id);
  },

  // Every held call there is, the oldest first.
  held() {
    return this.state.messages.flatMap((message) => message.steps || []).filter((step) => step.status === 'awaiting_approval');
  },

  say(user, text) {
    return post('demo/say', { user, text });
  },

  do(what) {
    return post('demo/do', { what });
  },

  // Answers as that person, with their token.
  async answer(person, step, allowed, reason) {
    const body = { tool_call_id: step.id, request_id: step.request_id, allowed };
    if (reason && !allowed) body.summary = reason;
    let answer;
    try {
      answer = await post(this.state.answers, body, { 'X-Api-Key': this.state.api_key, Authorization: person.token });
    } catch {
      answer = { status: 0, problem: {} };
    }
    this.happenings.answered(this, person, step, allowed, answer);
    await this.look();
    return answer;
  },

  async look() {
    let seen;
    try {
      const response = await fetch('demo/state', { cache: 'no-store' });
      if (!response.ok) throw new Error(String(response.status));
      seen = await response.json();
    } catch {
      show(find('trouble'), 'The demo does not answer. It may have been stopped.');
      return;
    }
    show(find('trouble'), '');
    if (this.state && this.state.run !== seen.run) { // another run: its people have other tokens
      location.reload();
      return;
    }
    const before = this.state;
    this.state = seen;
    this.ahead = Date.parse(seen.now) - Date.now();
    if (!before) open();
    draw();
    this.happenings.saw(this, before);
  },
};

// ---- small screens: one thing at a time ----

function choose(view) {
  for (const section of document.querySelectorAll('.pane')) section.classList.toggle('shown', section.dataset.view === view);
  for (const one of find('views').children) one.setAttribute('aria-pressed', String(one.dataset.view === view));
  demo.chats.get(view)?.toEnd();
}

function addView(view, name) {
  find('views').append(button(name, () => choose(view), { 'data-view': view }));
}

function open() {
  for (const person of demo.state.people) {
    const chat = new Chat(demo, person);
    demo.chats.set(person.id, chat);
    find('panes').querySelector('.crm').before(chat.element);
    addView(person.id, person.name);
  }
  addView('crm', 'CRM');
  choose(demo.state.people[0].id);
  show(find('rule'), `require_approval: ${JSON.stringify(demo.state.rule)}`);
  addScenes(demo, find('scenes'));
}

function draw() {
  for (const chat of demo.chats.values()) chat.draw();
  drawCrm(demo);
  drawNode(demo);
  demo.drawScenes();
}

async function keepLooking() {
  await demo.look();
  setTimeout(keepLooking, document.hidden ? POLL_HIDDEN_MS : POLL_MS);
}

keepLooking();
setInterval(() => {
  for (const chat of demo.chats.values()) chat.tick();
}, 250);
