// The channel as one person sees it.
import { button, make, said, show } from '../pages/dom.js';
import { timeLeft, toneOf, wordOf } from '../pages/words.js';

const TRY = ['Look up order 42', 'Refund order 42, 450', 'Echo hello'];

export class Chat {
  constructor(demo, person) {
    this.demo = demo;
    this.id = person.id;
    this.name = person.name;
    this.notices = new Map(); // what became of this person's answer, by call
    this.reasons = new Map(); // what they type, by call
    this.drawn = new Map(); // by message
    this.element = this.build();
  }

  build() {
    this.messages = make('ol', {});
    this.list = make('div', { class: 'messages', role: 'log', tabindex: '0', 'aria-label': `The channel as ${this.name} sees it` }, this.messages);
    this.place = make('span', { class: 'state' });
    this.fault = make('p', { class: 'fault', role: 'alert', hidden: true });
    this.input = make('input', { type: 'text', name: 'text', maxlength: '2000', autocomplete: 'off', enterkeyhint: 'send', placeholder: `Write as ${this.name}`, 'aria-label': `Write as ${this.name}` });
    const form = make('form', { class: 'say', on: { submit: (event) => this.submit(event) } }, this.input, make('button', { type: 'submit', text: 'Send' }));
    const tries = make('div', { class: 'try', role: 'group', 'aria-label': `Things for ${this.name} to say` }, ...TRY.map((text) => button(text, () => this.say(text), { class: 'small' })));
    return make('section', { class: 'pane person', 'data-view': this.id, 'aria-label': `${this.name}’s view` },
      make('header', {}, make('h2', { text: this.name }), make('p', { class: 'soft', text: `in ${this.demo.state.cid}` }), this.place),
      this.list, tries, form, this.fault);
  }

  toEnd() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  async submit(event) {
    event.preventDefault();
    const text = this.input.value;
    if (!text.trim()) return;
    this.input.value = '';
    if (!(await this.say(text)) && !this.input.value) this.input.value = text;
  }

  async say(text) {
    show(this.fault, '');
    try {
      const { status, problem } = await this.demo.say(this.id, text);
      if (status !== 201) {
        show(this.fault, problem.errors ? problem.errors.map((one) => `${one.pointer} ${one.detail}`).join(', ') : problem.detail || `That did not work (${status}).`);
        return false;
      }
    } catch {
      show(this.fault, 'That did not arrive.');
      return false;
    }
    await this.demo.look();
    this.toEnd();
    return true;
  }

  // ---- drawing ----

  draw() {
    const person = this.demo.person(this.id);
    show(this.place, person.is_member ? '' : 'has left the channel');
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 80;
    for (const message of this.demo.state.messages) {
      const notices = (message.steps || []).map((step) => this.notices.get(step.id));
      const key = JSON.stringify([message, notices]);
      const old = this.drawn.get(message.id);
      if (old && old.key === key) continue;
      const node = this.message(message);
      if (!old) node.classList.add('arrives');
      if (old) this.replace(old.node, node);
      else this.messages.append(node);
      this.drawn.set(message.id, { key, node });
    }
    if (atEnd) this.toEnd();
    this.tick();
  }

  // Whoever types, or has a button under their finger, keeps it though it is drawn anew.
  replace(old, node) {
    const focus = old.contains(document.activeElement) ? document.activeElement.dataset.keep : null;
    old.replaceWith(node);
    if (focus) node.querySelector(`[data-keep="${CSS.escape(focus)}"]`)?.focus();
  }

  message(message) {
    const own = message.user_id === this.id;
    const time = new Date(message.created_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    const item = make('li', { class: own ? 'message own' : 'message' }, make('p', { class: 'who' }, said(message.name), ` · ${time}`));
    const steps = (message.steps || []).filter((step) => step.type === 'ai_tool_call');
    item.append(...steps.map((step) => this.step(step)));
    // While a turn is under way its cards say more than its text, which is for clients without cards.
    const underWay = message.runtime && ['running', 'awaiting_approval'].includes(message.runtime.state);
    if (!(underWay && steps.length)) item.append(said(message.text || '', { class: 'text' }));
    return item;
  }

  step(step) {
    const held = step.status === 'awaiting_approval';
    const outcome = held ? step.status : step.outcome || step.status;
    const approval = step.approval || {};
    const notice = this.notices.get(step.id);
    const card = make('div', { class: `card ${held ? 'held' : toneOf(outcome)}` },
      make('p', { class: 'card-head' }, said(step.name, { class: 'card-name mono' }), make('span', { class: `state ${toneOf(outcome)}`, text: held ? '' : wordOf(outcome), 'data-until': held ? step.expires_at : null })));
    if (approval.message) card.append(said(approval.message, { tag: 'pre' }));
    if (held && step.target_user_id) card.append(this.ask(step, approval, notice));
    if (step.summary && step.summary !== wordOf(outcome)) card.append(said(step.summary, { tag: 'p', class: 'soft fine' }));
    if (notice) card.append(make('p', { class: `notice ${notice.good ? 'good' : 'bad'}`, role: 'status', text: notice.text }));
    return card;
  }

  ask(step, approval, notice) {
    const mine = step.target_user_id === this.id;
    const asked = this.demo.nameOf(step.target_user_id);
    const busy = Boolean(notice && notice.busy);
    const reason = make('input', { type: 'text', maxlength: '500', placeholder: 'Why, if you decline', 'aria-label': 'Why, if you decline', 'data-keep': `${step.id}/reason` });
    reason.value = this.reasons.get(step.id) || '';
    reason.addEventListener('input', () => this.reasons.set(step.id, reason.value));
    const hint = this.demo.hintOf(step.name);
    const act = (does, text, allowed, kind) => button(text, () => this.answer(step, allowed), { class: kind, disabled: busy, 'data-keep': `${step.id}/${does}`, 'data-does': does });
    return make('div', { class: 'ask' },
      hint ? make('p', { class: 'fine' }, make('strong', { text: 'The operator’s rule says: ' }), hint) : null,
      make('p', { class: 'ask-who', text: mine ? `Asked of ${this.name}, who wrote the message: nobody else here can release it.` : `Asked of ${asked}, who wrote it. A chat shows ${this.name} no buttons; here ${this.name} may try.` }),
      mine ? reason : null,
      make('div', { class: 'ask-buttons' },
        act('allow', approval.allow_title || 'Approve', true, mine ? 'main' : null),
        act('decline', approval.decline_title || 'Decline', false, null)));
  }

  tick() {
    for (const label of this.list.querySelectorAll('[data-until]')) {
      const left = timeLeft(Date.parse(label.dataset.until), this.demo.now());
      show(label, left ? `${left} left` : 'Time is over');
    }
  }

  async answer(step, allowed) {
    this.notices.set(step.id, { good: true, text: 'Sending the answer…', busy: true });
    this.draw();
    const { status, problem } = await this.demo.answer(this.demo.person(this.id), step, allowed, (this.reasons.get(step.id) || '').trim());
    const good = status === 204;
    let text = `${status} ${problem.code || ''}: ${problem.title || ''}`;
    if (good) text = `204: ${this.name} ${allowed ? 'allowed' : 'declined'} it`;
    if (status === 0) text = 'The answer did not arrive.';
    this.notices.set(step.id, { good, text });
    this.draw();
    return status;
  }
}
