// What really ran, and the node that let it.
import { make, said, show } from '../pages/dom.js';

const find = (id) => document.getElementById(id);
let drawn = 0;

export function drawCrm(demo) {
  const { counts, log } = demo.state.crm;
  for (const [tool, count] of Object.entries(counts)) show(find(`count-${tool}`), String(count));
  find('nothing-ran').hidden = log.length > 0;
  for (const entry of log) {
    if (entry.number <= drawn) continue;
    drawn = entry.number;
    const time = new Date(entry.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
    find('crm-log').prepend(make('li', { class: 'arrives' },
      make('p', { class: 'fine soft', text: `${entry.number} · ${time}` }),
      make('code', {}, `${entry.tool} `, said(entry.arguments, { value: true })),
      said(entry.answer, { tag: 'p', class: entry.failed ? 'answer bad' : 'answer' })));
  }
}

let link = '';

export function drawNode(demo) {
  const { node, people } = demo.state;
  let words = node.running ? `The node is process ${node.pid}. Held calls are rows in its store, so they outlive it.` : 'The node is dead. What it held stands in its store.';
  if (!node.running && !node.killed) words = 'The node starts anew…';
  show(find('node'), words);
  if (link === node.url) return;
  link = node.url;
  const to = (text, token) => make('a', { href: `${node.url}/inbox#token=${encodeURIComponent(token)}`, target: '_blank', rel: 'noopener', text });
  find('inboxes').replaceChildren('Inboxes: ', ...people.flatMap((person, i) => [i ? ', ' : '', to(`${person.name}’s`, person.token)]), ', ', to('an operator’s', node.operator_token));
}
