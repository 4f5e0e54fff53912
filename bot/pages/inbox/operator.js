// What an operator has beside the calls: which of them, and a call's way through the decision log.
import { button, make, said } from '../pages/dom.js';
import { clockTime, wordOf } from '../pages/words.js';

const TYPING_MS = 300;

export function filtersOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
}

export function onFilters(form, changed) {
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, TYPING_MS);
  };
  form.oninput = soon;
  form.onsubmit = (event) => {
    event.preventDefault();
    soon();
  };
}

function whoOf(entry) {
  const by = entry.decided_by || '';
  if (by.startsWith('user:')) return said(by.slice(5));
  if (by.startsWith('backend:')) return said(`${by.slice(8)} (backend)`);
  return said(by || 'somebody');
}

const KNOWN_BY = { user_token: 'a user’s token', server_token: 'the server’s token', operator_token: 'an operator’s token' };

// [tone, what it says, …]
function wordsOf(entry) {
  switch (entry.type) {
    case 'asked':
      return ['held', 'Asked of ', entry.asked ? said(entry.asked) : 'the backend', entry.writer && entry.writer === entry.asked ? ', who wrote the message' : ''];
    case 'decided':
    case 'edited':
    case 'proposed':
      return [entry.approved === false ? '' : 'good', whoOf(entry), entry.approved === false ? ' declined it' : entry.type === 'edited' ? ' approved it with changes' : entry.type === 'proposed' ? ' wants it with changes' : ' approved it',
        entry.reason ? ': ' : '', entry.reason ? said(entry.reason) : ''];
    case 'used':
      return ['', 'The approval was used up, just before the call left'];
    case 'finished':
      return [entry.outcome === 'done' ? 'good' : 'bad', `The call ended: ${wordOf(entry.outcome)}`];
    case 'refused':
      return ['bad', 'The rules refused it', entry.reason ? ': ' : '', entry.reason ? said(entry.reason) : ''];
    case 'expired':
      return ['', 'Nobody answered in time'];
    case 'cancelled':
      return ['', 'It was cancelled', entry.reason ? ': ' : '', entry.reason ? said(entry.reason) : ''];
    case 'consent_given':
      return ['', 'Calls like it may run for a while without asking'];
    case 'consent_ended':
      return ['', 'That consent was withdrawn'];
    case 'late_report':
      return ['', 'The connector answered when another node had the call already: nothing changed'];
    default:
      return ['', said(String(entry.type))];
  }
}

// What is personal stands beside the entry, where it was not removed.
function lineOf({ seal, entry: sealed, aside }) {
  const entry = { ...sealed, ...aside };
  const [tone, ...words] = wordsOf(entry);
  const known = entry.authenticated_by ? `known by ${KNOWN_BY[entry.authenticated_by] || entry.authenticated_by}` : '';
  const about = [clockTime(entry.at), known, seal === null ? 'not sealed yet' : `seal ${seal}`].filter(Boolean).join(' · ');
  return make('li', { class: tone || null }, make('p', {}, ...words), make('p', { class: 'fine soft' }, make('time', { datetime: entry.at, text: about })));
}

async function draw(place, card) {
  const { status, body } = await card.owner.api.get('/v1/audit', { approval_id: card.approval.approval_id });
  const heading = make('h3', { class: 'fine', text: 'What the decision log has of it' });
  if (status !== 200 || !body) {
    place.replaceChildren(heading, make('p', { class: 'fault', text: 'The log can’t be read right now.' }));
    return;
  }
  if (!body.entries.length) {
    place.replaceChildren(heading, make('p', { class: 'soft', text: body.head === null ? 'No decision log is kept here (the configuration’s `audit`).' : 'Nothing: it is older than what the log keeps.' }));
    return;
  }
  place.replaceChildren(heading, make('ol', {}, ...body.entries.map(lineOf)));
}

// The button of a card that shows and hides the call's trail.
export function trailButton(card) {
  const open = Boolean(card.trail);
  if (open) draw(card.trail, card);
  return button(open ? 'Hide the trail' : 'Audit trail', async () => {
    if (card.trail) {
      card.trail.remove();
      card.trail = null;
    } else {
      card.trail = make('section', { class: 'trail', 'aria-label': 'Audit trail', 'aria-live': 'polite' });
      card.element.append(card.trail);
    }
    card.drawActions();
  }, { 'data-does': 'trail', 'aria-expanded': String(open) });
}
