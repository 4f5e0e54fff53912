// What can be told of a value by its JSON Schema while somebody types: hints, of the keywords that
// forms are made of. What fits in the end is the server's to say.
import { JsonNumber, isObject, same, stringify, typeOf } from '../pages/json.js';

const escapeToken = (key) => key.replaceAll('~', '~0').replaceAll('/', '~1');
export const pointerTo = (pointer, key) => `${pointer}/${escapeToken(String(key))}`;

// A tool may write anything: what is not encoded as it should be stands for itself.
function decoded(token) {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

// A part of a schema, behind references within it. {} where it says nothing that we know.
export function resolve(schema, root, depth = 0) {
  if (!isObject(schema)) return Object.create(null);
  const reference = schema.$ref;
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference) || depth > 16) return schema;
  let found = root;
  for (const token of reference.slice(1).split('/').slice(1)) {
    const key = decoded(token).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !(key in found)) return schema;
    found = found[key];
  }
  return resolve(found, root, depth + 1);
}

const textsOf = (list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []);

export function typesOf(schema) {
  return typeof schema.type === 'string' ? [schema.type] : textsOf(schema.type);
}

export const requiredOf = (schema) => textsOf(schema.required);

const fits = (type, value) => type === typeOf(value) || (type === 'number' && value instanceof JsonNumber);

const patterns = new Map();
function patternOf(text) {
  if (!patterns.has(text)) {
    let pattern = null;
    // A browser's expressions may take for ever; the server's do not. Those that could are left to it: with groups,
    // or with more than two repeats without an end.
    if (!text.includes('(') && (text.match(/[*+]|,\}/g) ?? []).length <= 2) {
      try {
        pattern = new RegExp(text, 'u');
      } catch {
        // another dialect: the server knows it
      }
    }
    patterns.set(text, pattern);
  }
  return patterns.get(text);
}

const lengthOf = (text) => [...text].length;

const NUMBERS = {
  minimum: [(value, bound) => value >= bound, 'must be at least'],
  maximum: [(value, bound) => value <= bound, 'must be at most'],
  exclusiveMinimum: [(value, bound) => value > bound, 'must be more than'],
  exclusiveMaximum: [(value, bound) => value < bound, 'must be less than'],
};

function ofNumber(schema, value, say) {
  for (const [keyword, [holds, words]] of Object.entries(NUMBERS)) {
    const bound = schema[keyword];
    if (bound instanceof JsonNumber && !holds(Number(value.text), Number(bound.text))) say(`${words} ${bound.text}`);
  }
}

function ofString(schema, value, say) {
  const length = lengthOf(value);
  if (schema.minLength instanceof JsonNumber && length < Number(schema.minLength)) {
    say(Number(schema.minLength) === 1 ? 'must not be empty' : `must have at least ${schema.minLength} characters`);
  }
  if (schema.maxLength instanceof JsonNumber && length > Number(schema.maxLength)) {
    say(`must have at most ${schema.maxLength} characters`);
  }
  if (typeof schema.pattern === 'string') {
    const pattern = patternOf(schema.pattern);
    if (pattern && value.length < 10000 && !pattern.test(value)) say(`must match ${schema.pattern}`);
  }
}

function ofArray(schema, value, root, pointer, faults, say) {
  if (schema.minItems instanceof JsonNumber && value.length < Number(schema.minItems)) say(`needs at least ${schema.minItems}`);
  if (schema.maxItems instanceof JsonNumber && value.length > Number(schema.maxItems)) say(`may have at most ${schema.maxItems}`);
  if (isObject(schema.items)) value.forEach((one, i) => check(schema.items, one, root, pointerTo(pointer, i), faults));
}

function ofObject(schema, value, root, pointer, faults) {
  const properties = isObject(schema.properties) ? schema.properties : Object.create(null);
  for (const key of requiredOf(schema)) {
    if (!(key in value)) faults.push({ pointer: pointerTo(pointer, key), detail: 'is missing' });
  }
  for (const key of Object.keys(value)) {
    const known = key in properties;
    if (known) check(properties[key], value[key], root, pointerTo(pointer, key), faults);
    else if (schema.additionalProperties === false && !isObject(schema.patternProperties)) {
      faults.push({ pointer: pointerTo(pointer, key), detail: 'is not known to the tool' });
    }
  }
}

function check(part, value, root, pointer, faults) {
  const schema = resolve(part, root);
  const say = (detail) => faults.push({ pointer, detail });
  const types = typesOf(schema);
  if (types.length && !types.some((type) => fits(type, value))) {
    say(`must be ${types.map((type) => TYPE_WORDS[type] || type).join(' or ')}`);
    return;
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(one, value))) {
    say(`must be one of ${schema.enum.map((one) => stringify(one)).join(', ')}`);
  }
  if ('const' in schema && !same(schema.const, value)) say(`must be ${stringify(schema.const)}`);
  if (value instanceof JsonNumber) ofNumber(schema, value, say);
  else if (typeof value === 'string') ofString(schema, value, say);
  else if (Array.isArray(value)) ofArray(schema, value, root, pointer, faults, say);
  else if (isObject(value)) ofObject(schema, value, root, pointer, faults);
}

export const TYPE_WORDS = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'yes or no',
  object: 'an object',
  array: 'a list',
  null: 'nothing',
};

// [{pointer, detail}]: what is seen to be wrong; an unknown schema (null) says nothing.
export function hintsFor(schema, value) {
  const faults = [];
  if (isObject(schema)) check(schema, value, schema, '', faults);
  return faults;
}
