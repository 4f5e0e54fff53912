// Making elements. What people, models and tools say goes into a page as text alone.

// make('p', {class: 'soft', text: 'Hello'}, child, …): an attribute that is null, undefined or
// false is left out; `on` holds listeners.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'text') element.textContent = value;
    else if (name === 'on') for (const [event, does] of Object.entries(value)) element.addEventListener(event, does);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(text, does, attributes = {}) {
  return make('button', { type: 'button', text, on: { click: does }, ...attributes });
}

export function show(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

// What draws nothing, turns text around or looks like a space: the same that Writ's server makes
// visible in a channel. Pictures of control characters are among them: they look like one that was
// made visible.
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Cn}|\p{Co}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}|[\u2400-\u243f]/gu;

const nameOf = (character) => {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

export const hasUnseen = (text) => text.search(UNSEEN) >= 0;

// The text in an element of its own, which no direction of its letters can leave. Line breaks break
// the line; they are named too where the text is a `value` that is sent somewhere.
export function said(text, { tag = 'bdi', value = false, ...attributes } = {}) {
  const element = make(tag, { dir: 'auto', ...attributes });
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    element.append(text.slice(from, index));
    from = index + character.length;
    const breaks = character === '\n';
    if (value || !breaks) element.append(make('span', { class: 'unseen', text: nameOf(character) }));
    if (breaks) element.append('\n');
  }
  element.append(text.slice(from));
  return element;
}

// Tells a screen reader, once; `live` is an element with aria-live.
export function announce(live, text) {
  live.textContent = '';
  requestAnimationFrame(() => {
    live.textContent = text;
  });
}
