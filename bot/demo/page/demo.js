// The demo's page: two people's views of one channel, and the CRM's log. It asks /demo/state for
// what there is, and answers held calls through Writ's own API, as a chat's client does. What
// people and tools say goes into the page as text alone.
'use strict';

const POLL_MS = 600;
const POLL_HIDDEN_MS = 4000;
const TRY = [
  'Look up order 42',
  'Refund order 42, 450',
  'Refund order 43, 100 and order 44, 80',
  'Echo hello',
];
const STATES = {
  running: 'Running',
  done: 'Done',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Cancelled',
  refused: 'Refused',
  failed: 'Failed',
  outcome_unknown: 'Outcome unknown',
};

const notices = new Map(); // what became of a person's answer, by `person/call`
const panes = new Map(); // by person
const find = (id) => document.getElementById(id);

let state = null;
let clockAhead = 0; // of the server's, in milliseconds

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function show(element, text) {
  element.textContent = text;
  element.hidden = !text;
}

function nameOf(id) {
  const person = state.people.find((one) => one.id === id);
  return person ? person.name : id;
}

async function post(path, body, headers) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const type = response.headers.get('content-type') || '';
  return { status: response.status, problem: type.includes('json') ? await response.json() : {} };
}

// ---- what waits for an answer ----

async function answer(person, step, allowed, reason) {
  const body = { tool_call_id: step.id, request_id: step.request_id, allowed };
  if (reason && !allowed) body.summary = reason;
  const key = `${person.id}/${step.id}`;
  notices.set(key, { good: true, text: 'Sending the answer…', busy: true });
  draw();
  try {
    const { status, problem } = await post(state.answers, body, {
      'X-Api-Key': state.api_key,
      Authorization: person.token,
    });
    const good = status === 204;
    const words = good ? `${person.name} ${allowed ? 'allowed' : 'declined'} it` : problem.title;
    notices.set(key, { good, text: `${status} ${good ? '' : problem.code + ' '}· ${words}` });
  } catch {
    notices.set(key, { good: false, text: 'The answer did not arrive.' });
  }
  draw();
}

function drawAsk(card, person, step, notice) {
  const isAsked = step.target_user_id === person.id;
  const asked = nameOf(step.target_user_id);
  card.classList.toggle('asked', isAsked);
  card.querySelector('.ask-who').textContent = isAsked
    ? 'You wrote it, so you decide.'
    : `${asked} is asked. A chat shows the buttons to ${asked} alone; here ${person.name} may try.`;
  const reason = card.querySelector('.ask-reason');
  reason.dataset.call = step.id;
  reason.setAttribute('aria-label', 'Reason, if you decline');
  for (const [name, allowed] of [['allow', true], ['decline', false]]) {
    const button = card.querySelector(`.${name}`);
    button.textContent = step.approval[`${name}_title`] || name;
    button.disabled = Boolean(notice && notice.busy);
    button.addEventListener('click', () => answer(person, step, allowed, reason.value.trim()));
  }
}

function drawStep(person, step) {
  const card = find('card').content.firstElementChild.cloneNode(true);
  const notice = notices.get(`${person.id}/${step.id}`);
  const held = step.status === 'awaiting_approval';
  const outcome = step.outcome || step.status;
  card.classList.toggle('held', held);
  card.classList.toggle('done', outcome === 'done');
  card.classList.toggle('bad', ['failed', 'refused', 'outcome_unknown'].includes(outcome));
  card.querySelector('.card-name').textContent = step.name;
  const label = card.querySelector('.card-state');
  if (held) label.dataset.until = step.expires_at;
  label.textContent = held ? '' : STATES[outcome] || outcome;
  const approval = step.approval || {};
  show(card.querySelector('.card-why'), held ? approval.reason : '');
  show(card.querySelector('.card-arguments'), approval.message);
  if (held && step.target_user_id) drawAsk(card, person, step, notice);
  else card.querySelector('.ask').remove();
  show(card.querySelector('.card-end'), STATES[outcome] === step.summary ? '' : step.summary);
  if (notice) {
    const line = card.querySelector('.notice');
    show(line, notice.text);
    line.classList.add(notice.good ? 'good' : 'bad');
  }
  return card;
}

// ---- the channel ----

function drawMessage(person, message) {
  const own = message.user_id === person.id;
  const item = make('li', own ? 'message own' : 'message');
  const time = new Date(message.created_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  item.append(make('p', 'who', `${message.name} · ${time}`));
  const steps = (message.steps || []).filter((step) => step.type === 'ai_tool_call');
  for (const step of steps) item.append(drawStep(person, step));
  // While a turn is under way its cards say more than its text, which is for clients without cards.
  const underWay = message.runtime && ['running', 'awaiting_approval'].includes(message.runtime.state);
  if (!(underWay && steps.length)) item.append(make('p', 'text', message.text));
  return item;
}

// Whoever types a reason keeps it, and the cursor in it, though the message is drawn anew.
function keepReasons(before, after) {
  for (const input of after.querySelectorAll('.ask-reason')) {
    const old = before.querySelector(`.ask-reason[data-call="${CSS.escape(input.dataset.call)}"]`);
    if (old) input.value = old.value;
  }
}

function drawMessages(pane) {
  const { list, person, drawn } = pane;
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  for (const message of state.messages) {
    const calls = (message.steps || []).map((step) => notices.get(`${person.id}/${step.id}`));
    const key = JSON.stringify([message, calls]);
    const old = drawn.get(message.id);
    if (old && old.key === key) continue;
    const node = drawMessage(person, message);
    if (old) {
      const focus = document.activeElement;
      const call = old.node.contains(focus) && focus.dataset.call;
      keepReasons(old.node, node);
      old.node.replaceWith(node);
      if (call) node.querySelector(`.ask-reason[data-call="${CSS.escape(call)}"]`)?.focus();
    } else {
      list.append(node);
    }
    drawn.set(message.id, { key, node });
  }
  if (atEnd) list.scrollTop = list.scrollHeight;
}

async function say(pane, text) {
  show(pane.fault, '');
  try {
    const { status, problem } = await post('demo/say', { user: pane.person.id, text });
    if (status !== 201) {
      show(pane.fault, problem.errors ? problem.errors.map((one) => `${one.pointer} ${one.detail}`).join(', ') : problem.title);
      return false;
    }
  } catch {
    show(pane.fault, 'That did not arrive.');
    return false;
  }
  pane.list.scrollTop = pane.list.scrollHeight;
  await look();
  return true;
}

function openPane(person) {
  const section = find('pane').content.firstElementChild.cloneNode(true);
  section.dataset.view = person.id;
  section.setAttribute('aria-label', `${person.name}'s view`);
  section.querySelector('h2').textContent = person.name;
  section.querySelector('header p').textContent = `in ${state.cid}`;
  const pane = {
    person,
    drawn: new Map(),
    list: section.querySelector('.messages'),
    fault: section.querySelector('.fault'),
  };
  pane.list.setAttribute('aria-label', `The channel as ${person.name} sees it`);
  for (const text of TRY) {
    const button = make('button', '', text);
    button.type = 'button';
    button.addEventListener('click', () => say(pane, text));
    section.querySelector('.try').append(button);
  }
  const form = section.querySelector('form');
  form.elements.text.placeholder = `Write as ${person.name}`;
  form.elements.text.setAttribute('aria-label', `Write as ${person.name}`);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = form.elements.text.value;
    if (!text.trim()) return;
    form.elements.text.value = '';
    if (!(await say(pane, text)) && !form.elements.text.value) form.elements.text.value = text;
  });
  find('panes').querySelector('.crm').before(section);
  panes.set(person.id, pane);
  addView(person.id, person.name);
}

// ---- small screens: one thing at a time ----

function choose(view) {
  document.body.dataset.view = view;
  for (const section of document.querySelectorAll('.pane')) {
    section.classList.toggle('shown', section.dataset.view === view);
  }
  for (const button of find('views').children) {
    button.setAttribute('aria-pressed', String(button.dataset.view === view));
  }
  const pane = panes.get(view);
  if (pane) pane.list.scrollTop = pane.list.scrollHeight;
}

function addView(view, name) {
  const button = make('button', '', name);
  button.type = 'button';
  button.dataset.view = view;
  button.addEventListener('click', () => choose(view));
  find('views').append(button);
}

// ---- the CRM ----

function drawCrm() {
  for (const [tool, count] of Object.entries(state.crm.counts)) {
    find(`count-${tool}`).textContent = count;
  }
  find('nothing-ran').hidden = state.crm.log.length > 0;
  const list = find('crm-log');
  const newest = Number(list.dataset.newest || 0);
  for (const entry of state.crm.log.filter((one) => one.number > newest)) {
    const item = make('li');
    item.append(make('p', 'at', `${entry.number}. ${new Date(entry.at).toLocaleTimeString()}`));
    item.append(make('code', '', `${entry.tool} ${entry.arguments}`));
    item.append(make('p', entry.failed ? 'answer bad' : 'answer', entry.answer));
    list.prepend(item);
    list.dataset.newest = entry.number;
  }
}

// ---- all of it ----

function tick() {
  const now = Date.now() + clockAhead;
  for (const label of document.querySelectorAll('.card-state[data-until]')) {
    const left = Math.max(0, Math.ceil((new Date(label.dataset.until) - now) / 1000));
    const text = left > 0 ? `Held · ${left} s left` : 'Held · time is up';
    if (label.textContent !== text) label.textContent = text;
  }
}

function draw() {
  for (const person of state.people) {
    if (!panes.has(person.id)) openPane(person);
    panes.get(person.id).person.token = person.token;
    drawMessages(panes.get(person.id));
  }
  if (find('views').children.length === panes.size) {
    addView('crm', 'CRM');
    choose(document.body.dataset.view);
  }
  drawCrm();
  tick();
}

async function look() {
  let seen = null;
  try {
    const response = await fetch('demo/state', { cache: 'no-store' });
    if (response.ok) seen = await response.json();
  } catch {
    // told below
  }
  show(find('trouble'), seen ? '' : 'The demo does not answer. Is it still running?');
  if (!seen) return;
  if (state && state.run !== seen.run) {
    location.reload(); // the demo was started anew: nothing of the old one is there
    return;
  }
  state = seen;
  clockAhead = new Date(state.now) - Date.now();
  draw();
}

async function keepLooking() {
  await look();
  setTimeout(keepLooking, document.hidden ? POLL_HIDDEN_MS : POLL_MS);
}

keepLooking();
setInterval(tick, 250);
