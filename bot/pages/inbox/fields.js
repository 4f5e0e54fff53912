// Arguments as a person reads them: a row for each, under the tool's own words for it where its
// schema has some. Everything is shown, and whole.
import { JsonNumber, isObject, typeOf } from '../pages/json.js';
import { button, make, said } from '../pages/dom.js';
import { pointerTo, resolve } from './schema.js';

const LONG = 600; // characters: beyond, a value gets a box of its own to scroll in
const KINDS = { string: 'text', integer: 'number', number: 'number', boolean: 'yes or no', null: 'nothing' };

export const isSecret = (schema) => schema.writeOnly === true || schema.format === 'password';

// The name of an argument, which may be called anything.
export const nameOf = (key) => said(key === '' ? '""' : key, { class: 'mono', value: true });

// The keys of an object: those that the schema knows in its order, which is its author's; then the rest.
export function keysOf(object, schema) {
  const known = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const keys = Object.keys(object);
  return [...known.filter((key) => key in object), ...keys.filter((key) => !known.includes(key))];
}

// The tool's words for one argument: its title and description, as theirs.
export function wordsOf(schema) {
  const parts = [];
  for (const name of ['title', 'description']) {
    if (typeof schema[name] === 'string' && schema[name].trim()) parts.push(schema[name].trim());
  }
  return parts.join(': ');
}

function shownScalar(value) {
  if (typeof value === 'string') {
    if (value === '') return make('span', { class: 'soft', text: '(empty text)' });
    const long = value.length > LONG;
    const text = said(value, { tag: 'div', value: true, class: long ? 'value long' : 'value' });
    if (!long) return text;
    text.tabIndex = 0;
    text.setAttribute('role', 'group');
    text.setAttribute('aria-label', `${[...value].length} characters`);
    return make('div', {}, text, make('p', { class: 'fine soft', text: `${[...value].length.toLocaleString()} characters, all of them here` }));
  }
  if (value instanceof JsonNumber) return make('div', { class: 'value number', text: value.text });
  if (value === true || value === false) return make('div', { class: 'value', text: value ? 'yes (true)' : 'no (false)' });
  return make('div', { class: 'value soft', text: 'nothing (null)' });
}

// Covered until somebody wants to see it: there may be people behind them.
function shownSecret(value) {
  const place = make('div', { class: 'secret' });
  const cover = make('span', { class: 'value', text: '••••••' });
  const reveal = button('Show', () => place.replaceChildren(shownScalar(value)), { class: 'small' });
  place.append(cover, reveal);
  return place;
}

function shownValue(value, schema, root, pointer) {
  if (Array.isArray(value) && value.length) {
    const items = resolve(schema.items, root);
    const list = make('ol', { class: 'elements' });
    value.forEach((one, i) => list.append(make('li', {}, shownValue(one, items, root, pointerTo(pointer, i)))));
    return list;
  }
  if (isObject(value) && Object.keys(value).length) return fieldsOf(value, schema, root, pointer);
  if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber)) {
    return make('span', { class: 'soft', text: Array.isArray(value) ? '(an empty list)' : '(empty)' });
  }
  return isSecret(schema) ? shownSecret(value) : shownScalar(value);
}

function fieldsOf(object, schema, root, pointer) {
  const rows = make('dl', { class: 'fields' });
  const properties = isObject(schema.properties) ? schema.properties : Object.create(null);
  for (const key of keysOf(object, schema)) {
    const part = resolve(properties[key], root);
    const name = make('dt', {}, nameOf(key));
    const kind = KINDS[typeOf(object[key])];
    if (kind && kind !== 'text') name.append(make('span', { class: 'kind', text: kind }));
    const words = wordsOf(part);
    if (words) name.append(said(words, { tag: 'span', class: 'words' }));
    rows.append(make('div', { class: 'field' }, name, make('dd', {}, shownValue(object[key], part, root, pointerTo(pointer, key)))));
  }
  return rows;
}

// `schema` null: the tool is gone, or its schema can't be had.
export function readable(value, schema) {
  const root = schema || Object.create(null);
  if (isObject(value) && !Object.keys(value).length) return make('p', { class: 'soft', text: 'No arguments.' });
  return shownValue(value, resolve(root, root), root, '');
}
