// The moments worth seeing, a button each.
import { button } from '../pages/dom.js';

const ANYA = 'anya-1';
const BEN = 'ben-2';
const LONGEST_MS = 20000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Looks until it holds; false where it does not in time.
async function until(demo, holds) {
  const end = Date.now() + LONGEST_MS;
  while (Date.now() < end) {
    await demo.look();
    if (holds()) return true;
    await pause(150);
  }
  return false;
}

const heldOf = (demo, person) => demo.held().find((step) => step.target_user_id === person);

// For scenes in which Anya writes: with time to look around, and as a member.
async function calm(demo) {
  if (!demo.person(ANYA).is_member) await demo.do('return');
  if (!demo.state.node.killed && demo.state.node.approval_wait_s < 60) await demo.do('calm');
}

// A call of Anya's that is held: the one that is there, or a new one.
async function heldCall(demo) {
  const there = heldOf(demo, ANYA);
  if (there) return there;
  await calm(demo);
  await demo.chats.get(ANYA).say('Please refund order 42, 20.');
  await until(demo, () => heldOf(demo, ANYA));
  return heldOf(demo, ANYA);
}

const SCENES = [
  ['ask', () => '1 · Anya asks', async (demo) => {
    await calm(demo);
    await demo.chats.get(ANYA).say('Please refund order 42, 450.');
  }],
  ['ben', () => '2 · Ben tries to approve', async (demo) => {
    const step = await heldCall(demo);
    if (step) await demo.chats.get(BEN).answer(step, true);
  }],
  ['anya', () => '3 · Anya approves', async (demo) => {
    const step = await heldCall(demo);
    if (step) await demo.chats.get(ANYA).answer(step, true);
  }],
  ['two', () => 'Two calls at once', async (demo) => {
    await calm(demo);
    await demo.chats.get(ANYA).say('Refund order 43, 100 and order 44, 80');
  }],
  ['leave', (demo) => (demo.person(ANYA).is_member ? 'Anya leaves' : 'Anya comes back'), async (demo) => {
    if (demo.person(ANYA).is_member) await heldCall(demo);
    await demo.do(demo.person(ANYA).is_member ? 'leave' : 'return');
  }],
  ['kill', (demo) => (demo.state.node.killed ? 'Start it again' : 'Kill the node'), async (demo) => {
    const { killed } = demo.state.node;
    if (!killed) await heldCall(demo);
    await demo.do(killed ? 'start' : 'kill');
  }],
  ['time', () => 'Nobody answers', async (demo) => {
    if (!demo.person(ANYA).is_member) await demo.do('return');
    await demo.do('hurry');
    await demo.chats.get(ANYA).say('Please refund order 44, 10.');
    await until(demo, () => heldOf(demo, ANYA));
    demo.happenings.tell('held', 'In this scene a call waits for 10 seconds. Watch it run out.');
  }],
];

export function addScenes(demo, place) {
  let busy = false;
  const buttons = SCENES.map(([name, , does], i) => button('', async () => {
    if (busy || buttons[i].getAttribute('aria-disabled') === 'true') return;
    busy = true;
    demo.drawScenes();
    try {
      await does(demo);
      await demo.look();
    } finally {
      busy = false;
      demo.drawScenes();
    }
  }, { 'data-scene': name }));
  place.append(...buttons);
  let stage = 'ask';

  // What a newcomer presses next.
  const next = () => {
    if (!demo.person(ANYA).is_member) return 'leave';
    const step = demo.held()[0];
    if (!step) return stage === 'ben' || stage === 'anya' ? 'two' : 'ask';
    const tried = demo.chats.get(BEN).notices.get(step.id);
    stage = tried ? 'anya' : 'ben';
    return stage;
  };

  demo.drawScenes = () => {
    const running = !demo.state.node.killed;
    const now = next();
    SCENES.forEach(([name, text], i) => {
      const words = text(demo);
      if (buttons[i].textContent !== words) buttons[i].textContent = words;
      buttons[i].classList.toggle('next', !busy && name === (running ? now : 'kill'));
      // Not disabled: whoever pressed it keeps their place.
      buttons[i].setAttribute('aria-disabled', String(busy || (!running && !['kill', 'anya', 'ben'].includes(name))));
    });
  };
  demo.drawScenes();
}
