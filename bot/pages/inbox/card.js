// One call: who asks for what, where and why, with what arguments; and its answer.
import { isObject, parse, same, stringify } from '../pages/json.js';
import { announce, button, make, said, show } from '../pages/dom.js';
import { timeAgo, timeLeft, toneOf, wordOf } from '../pages/words.js';
import { clock } from './api.js';
import { emptyContent, questionSchema, questionsOf } from './question.js';
import { readable } from './fields.js';
import { editForm } from './form.js';

const REASON_LENGTH = 500;

// What an answer that was refused is told as, by its code.
const REFUSALS = {
  asked_of_another: 'This call waits for somebody else’s answer.',
  internal_error: 'Something went wrong in Writ itself. The call may still be held; its log says more.',
  membership_unknown: 'The chat platform can’t say right now who is a member. The call is still held; try again.',
  overloaded: 'Too much is going on right now. The call is still held; try again.',
  store_unavailable: 'Writ can’t reach its store right now. Try again.',
  edited_arguments_invalid: 'The changes do not fit the tool. The call is still held.',
  token_expired: 'Your sign-in has expired.',
};

export class Card {
  // `owner` has api, live (the region for screen readers), isOperator, me, look() (soon, anew) and
  // signInAgain(why).
  constructor(view, owner) {
    this.owner = owner;
    this.view = view;
    this.mode = 'read'; // read, edit, decline
    this.busy = false;
    this.parts = {};
    this.element = this.build();
    this.draw();
  }

  get approval() {
    return this.view.approval;
  }

  get isHeld() {
    return this.approval.status === 'pending' && Date.parse(this.approval.expires_at) > clock.now();
  }

  // Nothing more will become of it.
  get isOver() {
    return this.approval.status !== 'pending' && (!this.view.step || Boolean(this.view.step.outcome)) && this.turnIsOver;
  }

  get turnIsOver() {
    return !this.view.turn || ['completed', 'failed', 'cancelled'].includes(this.view.turn.state);
  }

  // Somebody types here, or waits for what their answer did.
  get isAtWork() {
    return this.mode !== 'read' || this.busy;
  }

  update(view) {
    const before = this.isHeld;
    const was = this.outcomeWord();
    const changed = stringify(view.approval) !== stringify(this.view.approval) || stringify(view.step) !== stringify(this.view.step)
      || stringify(view.turn) !== stringify(this.view.turn);
    const toolCame = Boolean(view.tool) !== Boolean(this.view.tool);
    this.view = view;
    if (toolCame && this.mode === 'read') this.drawArguments();
    if (!changed) return;
    if (before && !this.isHeld) this.leaveMode();
    this.draw();
    const is = this.outcomeWord();
    if (is !== was && !this.isHeld) announce(this.owner.live, `${this.approval.tool}: ${is}`);
  }

  // ---- what stands there ----

  build() {
    const p = this.parts;
    const { approval, tool } = this.view;
    const title = `call-${approval.approval_id}`;
    p.state = make('span', { class: 'state' });
    p.result = make('div', { class: 'result', role: 'group', 'aria-label': 'What became of it', tabindex: '-1', hidden: true });
    p.arguments = make('div', { class: 'arguments' });
    p.actions = make('div', { class: 'actions' });
    p.notice = make('p', { class: 'fault', role: 'alert', hidden: true });
    const name = make('h2', { id: title }, said(approval.tool, { class: 'mono' }));
    const head = make('header', {}, name, p.state);
    const card = make('article', { class: 'call arrives', 'aria-labelledby': title, 'data-approval': approval.approval_id });
    card.append(head);
    if (tool && tool.title) card.append(make('p', { class: 'words' }, 'The tool calls itself “', said(tool.title), '”'));
    card.append(this.where(), ...this.quote());
    if (approval.hint) card.append(make('p', { class: 'hint' }, make('strong', { text: 'Note of the rule: ' }), said(approval.hint)));
    card.append(p.arguments, p.result, p.notice, p.actions, this.exact());
    this.drawArguments();
    return card;
  }

  where() {
    const { approval, said: words } = this.view;
    const line = make('p', { class: 'where soft' });
    const asked = approval.asked;
    if (asked && asked === this.owner.me) line.append('You are asked');
    else if (asked) line.append('Asked of ', said(words && words.author === asked && words.author_name ? `${words.author_name} (${asked})` : asked));
    else line.append('Asked of the backend alone');
    if (asked && words && words.writer === asked) line.append(asked === this.owner.me ? ', for you wrote the message' : ', who wrote the message');
    if (approval.cid) line.append(' · in ', said(approval.cid, { class: 'mono' }));
    this.parts.when = make('time', { datetime: approval.created_at });
    line.append(' · ', this.parts.when);
    return line;
  }

  quote() {
    const words = this.view.said;
    if (!words || !words.text) return [];
    const name = words.author_name || words.author;
    return [make('figure', { class: 'quote' }, make('figcaption', { class: 'fine soft' }, name ? said(name) : 'Nobody in the channel', ' wrote'), said(words.text, { tag: 'blockquote', tabindex: words.text.length > 600 ? '0' : null }))];
  }

  exact() {
    const { approval } = this.view;
    const text = stringify(approval.arguments, 2);
    return make('details', { class: 'exact fine' },
      make('summary', { text: 'Exactly' }),
      said(text, { tag: 'pre' }),
      make('p', { class: 'soft' }, 'Digest ', make('code', { text: approval.args_digest })),
      make('p', { class: 'soft' }, 'Approval ', make('code', { text: approval.approval_id }), ' · call ', make('code', { text: approval.call_id })));
  }

  get schema() {
    if (this.approval.kind === 'input') return questionSchema(this.approval.arguments);
    return this.view.tool ? this.view.tool.input_schema : null;
  }

  drawArguments() {
    const { approval } = this.view;
    if (approval.kind === 'input') {
      this.parts.arguments.replaceChildren(...questionsOf(approval.arguments).map(({ message }) => make('div', { class: 'quote' }, make('p', { class: 'fine soft', text: 'The tool asks, in its own words:' }), said(message, { tag: 'blockquote' }))));
      return;
    }
    const decided = approval.decision && approval.decision.edited_arguments;
    const shown = [readable(approval.arguments, this.schema)];
    if (isObject(decided)) {
      shown[0].classList.add('replaced');
      shown.push(make('p', { class: 'fine soft', text: 'Changed to, and this is what ran:' }), readable(decided, this.schema));
    }
    if (!this.view.tool && this.isHeld) shown.push(make('p', { class: 'fine soft', text: 'The connector does not tell of this tool right now.' }));
    this.parts.arguments.replaceChildren(...shown);
  }

  outcomeWord() {
    const { approval, step } = this.view;
    if (this.isHeld) return wordOf('pending');
    if (approval.status === 'pending') return wordOf('expired');
    if (step && step.outcome) return wordOf(step.outcome);
    return wordOf(approval.status);
  }

  tick() {
    show(this.parts.when, timeAgo(Date.parse(this.approval.created_at), clock.now()));
    if (this.isHeld) {
      show(this.parts.state, `${timeLeft(Date.parse(this.approval.expires_at), clock.now())} left`);
    } else if (this.parts.drawnHeld) {
      this.leaveMode();
      this.draw();
      announce(this.owner.live, `${this.approval.tool}: ${this.outcomeWord()}`);
      this.owner.look();
    }
  }

  draw() {
    const { state } = this.parts;
    show(this.parts.when, timeAgo(Date.parse(this.approval.created_at), clock.now()));
    const held = this.isHeld;
    this.parts.drawnHeld = held;
    this.element.classList.toggle('held', held);
    const step = this.view.step;
    const tone = held ? 'held' : toneOf((step && step.outcome) || this.approval.status);
    state.className = `state ${tone}`;
    if (held) this.tick();
    else show(state, this.outcomeWord());
    if (!held && this.mode === 'read') this.drawArguments();
    this.drawResult();
    this.drawActions();
  }

  // Who decided what, and what came of it.
  drawResult() {
    const { result } = this.parts;
    const { approval, step, turn } = this.view;
    result.hidden = this.isHeld;
    if (this.isHeld) return;
    const lines = [];
    const decision = approval.decision;
    if (decision) {
      const line = make('p', {}, this.whoDecided(decision), decision.approved ? ' approved it' : ' declined it');
      if (decision.reason) line.append(': ', said(decision.reason));
      lines.push(line);
    } else if (['pending', 'expired'].includes(approval.status)) {
      lines.push(make('p', { text: 'Nobody answered in time. Nothing was sent.' }));
    } else {
      lines.push(make('p', { text: 'It was cancelled. Nothing was sent.' }));
    }
    if (decision && decision.approved) {
      const over = step && step.outcome;
      const line = make('p', {}, over ? make('strong', { class: `state ${toneOf(over)}`, text: wordOf(over) }) : make('span', { class: 'soft', text: 'It is on its way…' }));
      if (over && step.summary && step.summary !== wordOf(over)) line.append(' · ', said(step.summary));
      lines.push(line);
    }
    if (turn && turn.reply) lines.push(make('figure', { class: 'quote' }, make('figcaption', { class: 'fine soft', text: 'The reply in the conversation' }), said(turn.reply, { tag: 'blockquote' })));
    result.replaceChildren(...lines);
  }

  whoDecided(decision) {
    const by = decision.decided_by;
    if (this.owner.me && by === `user:${this.owner.me}`) return 'You';
    if (by.startsWith('user:')) return said(by.slice(5));
    if (by === 'backend') return 'The app’s backend';
    if (by.startsWith('backend:')) return said(`${by.slice(8)} (at the backend)`);
    if (by === 'policy') return 'The binding’s policy';
    if (by === 'callback') return 'The binding’s callback';
    if (by.startsWith('consent:')) return 'A consent that was given before';
    return said(by);
  }

  // ---- what can be done ----

  drawActions() {
    const { actions } = this.parts;
    if (!this.isHeld) {
      actions.replaceChildren(...(this.owner.more ? this.owner.more(this) : []));
      return;
    }
    const focus = actions.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    const isQuestion = this.approval.kind === 'input';
    let all;
    if (this.mode === 'decline') all = this.declineParts();
    else if (this.mode === 'edit') all = this.editParts();
    else {
      all = [
        isQuestion
          ? this.action('answer', 'Answer…', () => this.enter('edit'), 'main')
          : this.action('approve', 'Approve', () => this.answer(true), 'main'),
        isQuestion ? null : this.action('edit', 'Edit…', () => this.enter('edit')),
        this.action('decline', 'Decline…', () => this.enter('decline')),
        ...(this.owner.more ? this.owner.more(this) : []),
      ];
    }
    actions.replaceChildren(...all.filter(Boolean));
    if (focus) actions.querySelector(`[data-does="${focus}"]`)?.focus();
  }

  action(does, text, run, kind = '') {
    return button(text, run, { class: kind || null, disabled: this.busy, 'data-does': does, 'aria-describedby': `call-${this.approval.approval_id}` });
  }

  declineParts() {
    const id = `reason-${this.approval.approval_id}`;
    const reason = make('textarea', { id, rows: '2', maxlength: String(REASON_LENGTH), placeholder: 'The model is told your words', dir: 'auto' });
    reason.value = this.reason || '';
    reason.addEventListener('input', () => {
      this.reason = reason.value;
    });
    return [
      make('div', { class: 'reason' }, make('label', { for: id, text: 'Why? (may be left out)' }), reason),
      this.action('send-decline', 'Decline', () => this.answer(false), 'main'),
      this.action('back', 'Back', () => this.leave('decline')),
    ];
  }

  editParts() {
    const wrong = this.edit.faults.length > 0;
    const isQuestion = this.approval.kind === 'input';
    const changed = isQuestion || (this.edit.value !== undefined && !same(this.edit.value, this.approval.arguments));
    let text = isQuestion ? 'Send the answer' : 'Approve with changes';
    if (!changed) text = 'Approve as it was';
    const send = this.action('send-edit', text, () => this.answer(true, this.edit.value), 'main');
    send.disabled = this.busy || this.edit.value === undefined;
    const back = this.action('back', isQuestion ? 'Back' : 'Discard changes', () => this.leave(isQuestion ? 'answer' : 'edit'));
    return [wrong ? make('p', { class: 'fine soft wide', text: 'Something does not seem to fit; Writ checks it again when you send it.' }) : null, send, back];
  }

  enter(mode) {
    this.mode = mode;
    show(this.parts.notice, '');
    if (mode === 'edit') {
      const start = this.approval.kind === 'input' ? emptyContent(this.schema) : parse(stringify(this.approval.arguments));
      this.edit = { value: start, faults: [] };
      const old = this.approval.kind === 'input' ? [...this.parts.arguments.children] : [];
      this.form = editForm(this.schema, start, (state) => {
        this.edit = state;
        if (this.form) this.drawActions();
      });
      this.parts.arguments.replaceChildren(...old, this.form.element);
    }
    this.drawActions();
    if (mode === 'edit') this.form.focus();
    else this.parts.actions.querySelector('textarea')?.focus();
  }

  leave(then) {
    this.leaveMode();
    this.drawActions();
    this.parts.actions.querySelector(`[data-does="${then}"]`)?.focus();
  }

  leaveMode() {
    if (this.mode === 'edit') {
      this.form = null;
      this.mode = 'read';
      this.drawArguments();
    }
    this.mode = 'read';
  }

  async answer(allowed, edited) {
    if (this.busy) return;
    this.busy = true;
    show(this.parts.notice, '');
    this.drawActions();
    const { status, body } = await this.owner.send(this.view, allowed, allowed ? '' : (this.reason || '').trim(), edited);
    this.busy = false;
    if (status === 204 || status === 200) {
      this.leaveMode();
      announce(this.owner.live, `${this.approval.tool}: ${allowed ? 'approved' : 'declined'}`);
      await this.owner.refresh(this);
      this.drawActions();
      this.parts.result.focus();
      return;
    }
    await this.wasRefused(status, body);
  }

  // Whatever was refused, the true state is looked up: it may have been decided meanwhile.
  async wasRefused(status, body) {
    const code = (body && body.code) || '';
    if (status === 401) {
      this.drawActions();
      this.owner.signInAgain(code === 'token_expired' ? REFUSALS.token_expired : 'Your sign-in is not good for this any more.');
      return;
    }
    if (code === 'edited_arguments_invalid' && this.form) {
      const faults = (body.errors || []).map(({ pointer, detail }) => ({ pointer: pointer.replace(/^\/edited_arguments/, ''), detail }));
      this.drawActions();
      this.form.tell(faults);
      show(this.parts.notice, REFUSALS[code]);
      this.element.querySelector('[aria-invalid="true"]')?.focus();
      return;
    }
    const known = await this.owner.refresh(this);
    this.drawActions();
    if (known && !this.isHeld) {
      if (!(await this.mineAfterAll(status))) show(this.parts.notice, 'It was settled before your answer came.');
      this.parts.result.focus();
    } else if (status === 0) {
      show(this.parts.notice, 'No connection: your answer may not have arrived. The call still waits as far as this page knows.');
    } else if (status === 404) {
      show(this.parts.notice, 'It can’t be answered by you any more: it was settled, or you are no member of the conversation now.');
    } else {
      show(this.parts.notice, REFUSALS[code] || (body && body.title) || `That did not work (${status}).`);
    }
  }

  // An answer whose reply was lost on the way may have counted.
  async mineAfterAll(status) {
    const { decision } = this.approval;
    return status === 0 && decision && this.owner.me && decision.decided_by === `user:${this.owner.me}`;
  }
}
