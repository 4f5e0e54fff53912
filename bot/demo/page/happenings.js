// What happened, in a sentence each, with the reason: the newest stands on top.
import { make } from '../pages/dom.js';

const MOST = 30;
const REFUSED = { failed: 'failed', refused: 'was refused by the rules', outcome_unknown: 'was sent, and nobody knows what came of it' };

export class Happenings {
  constructor(list) {
    this.list = list;
    this.outcomes = new Map(); // of each call, as it was told
    this.tell('', 'Press “1 · Anya asks”: she wants money refunded, which the assistant may not do by itself.');
  }

  tell(tone, text) {
    this.list.prepend(make('li', { class: tone || null, text }));
    while (this.list.children.length > MOST) this.list.lastChild.remove();
  }

  // An answer that somebody gave, and what they were told.
  answered(demo, person, step, allowed, { status, problem }) {
    const asked = demo.nameOf(step.target_user_id);
    if (status === 403) this.tell('bad', `${person.name} is refused (403): a member sees the call, but only ${asked}, who wrote the message, may release it. It is still held.`);
    else if (status === 404) this.tell('bad', person.is_member === false
      ? `${person.name} is refused (404): whoever is no member of the channel now can answer nothing there. It is still held.`
      : `${person.name} is told 404: this call waits no more.`);
    else if (status === 204 && allowed) this.tell('good', `${person.name} allows it. The approval is used up as the call leaves: it runs once.`);
    else if (status === 204) this.tell('', `${person.name} declines it. Nothing is sent, and the model is told so.`);
    else if (status === 0 || status === 503) this.tell('bad', 'Nobody is there to take the answer. Nothing is lost: it can be given again.');
    else this.tell('bad', `${status} ${problem.code || ''}`);
  }

  // The difference between two looks.
  saw(demo, before) {
    const { state } = demo;
    this.sawCalls(demo, !before);
    if (!before) return;
    if (!before.node.killed && state.node.killed) this.tell('bad', `The node is killed: SIGKILL, no goodbye. ${demo.held().length ? 'The held call is a row in its store.' : ''}`);
    if (before.node.killed && !state.node.killed) this.tell('good', `A new process takes up the same store. ${demo.held().length ? 'The call is still held, and the same answer works.' : ''}`);
    const wait = state.node.approval_wait_s;
    if (before.node.approval_wait_s !== wait) this.tell('', `The operator sets how long a call waits: ${wait} seconds now. The node starts anew with that.`);
    for (const person of state.people) {
      const was = before.people.find((one) => one.id === person.id);
      if (was.is_member && !person.is_member) this.tell('bad', `${person.name} has left the channel. Each answer asks the chat who is a member now.`);
      if (!was.is_member && person.is_member) this.tell('', `${person.name} is a member again.`);
    }
  }

  sawCalls(demo, quietly) {
    for (const step of demo.state.messages.flatMap((message) => message.steps || [])) {
      const outcome = step.outcome || step.status;
      if (this.outcomes.get(step.id) === outcome) continue;
      const wasHeld = this.outcomes.get(step.id) === 'awaiting_approval';
      this.outcomes.set(step.id, outcome);
      if (!quietly) this.sawOutcome(demo, step, outcome, wasHeld);
    }
  }

  sawOutcome(demo, step, outcome, wasHeld) {
    if (outcome === 'awaiting_approval') {
      const asked = demo.nameOf(step.target_user_id);
      this.tell('held', `${step.name} is held, for the operator’s rule names it. ${asked} wrote the message, so ${asked} is asked. The CRM has heard nothing.`);
    } else if (outcome === 'done') {
      this.tell('good', wasHeld || step.request_id ? `${step.name} ran, once: see the CRM’s log.` : `${step.name} ran at once: the operator’s rule does not name it, so nobody had to be asked.`);
    } else if (outcome === 'expired') {
      this.tell('', 'Nobody answered in time: it expired. That is nobody’s “no”, and nothing was sent.');
    } else if (REFUSED[outcome]) {
      this.tell('bad', `${step.name} ${REFUSED[outcome]}.`);
    }
  }
}
