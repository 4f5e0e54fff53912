// JSON whose numbers keep every digit: what is shown is what runs, and 12345678901234567890 is not
// 12345678901234567000. A number is a `JsonNumber`; an object has no prototype, so that a key may
// be called anything.

export class JsonNumber {
  constructor(text) {
    this.text = text;
  }
  valueOf() {
    return Number(this.text);
  }
  toString() {
    return this.text;
  }
}

export const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

const MAX_DEPTH = 260;
const TOKEN = /[ \t\n\r]*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))/y;

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new SyntaxError(`${what} in line ${line}`);
  }

  // The next token, as [mark, string, number, word].
  next() {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.text);
    if (!found) this.fail(this.text.slice(this.at).trim() ? 'something that is no JSON' : 'it ends too early,');
    this.at = TOKEN.lastIndex;
    return found.slice(1);
  }

  peekMark() {
    const before = this.at;
    const [mark] = this.next();
    this.at = before;
    return mark;
  }

  value(depth) {
    if (depth > MAX_DEPTH) this.fail('too many levels');
    const [mark, string, number, word] = this.next();
    if (string !== undefined) return JSON.parse(string);
    if (number !== undefined) return new JsonNumber(number);
    if (word !== undefined) return JSON.parse(word);
    if (mark === '{') return this.object(depth);
    if (mark === '[') return this.array(depth);
    return this.fail(`\`${mark}\` where a value should be`);
  }

  object(depth) {
    const object = Object.create(null);
    if (this.peekMark() === '}') {
      this.next();
      return object;
    }
    for (;;) {
      const [, string] = this.next();
      if (string === undefined) this.fail('a key without quotes');
      const key = JSON.parse(string);
      if (key in object) this.fail('a key that is there twice');
      if (this.next()[0] !== ':') this.fail('no `:` behind a key');
      object[key] = this.value(depth + 1);
      const [mark] = this.next();
      if (mark === '}') return object;
      if (mark !== ',') this.fail('no `,` between two members');
    }
  }

  array(depth) {
    const array = [];
    if (this.peekMark() === ']') {
      this.next();
      return array;
    }
    for (;;) {
      array.push(this.value(depth + 1));
      const [mark] = this.next();
      if (mark === ']') return array;
      if (mark !== ',') this.fail('no `,` between two elements');
    }
  }
}

// throws SyntaxError, whose message is for people
export function parse(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  if (text.slice(reader.at).trim()) reader.fail('something behind the end');
  return value;
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

export function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof JsonNumber) return Number.isInteger(value.valueOf()) ? 'integer' : 'number';
  return typeof value; // string, boolean, object
}

// `indent` spaces a level; 0 puts all of it on one line.
export function stringify(value, indent = 0, before = '') {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = before + ' '.repeat(indent);
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((one) => stringify(one, indent, inner))
    : Object.keys(value).map((key) => `${JSON.stringify(key)}:${indent ? ' ' : ''}${stringify(value[key], indent, inner)}`);
  const [open, close] = isArray ? '[]' : '{}';
  if (!parts.length) return open + close;
  if (!indent) return open + parts.join(',') + close;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${before}${close}`;
}

export const same = (one, other) => stringify(sorted(one)) === stringify(sorted(other));

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const result = Object.create(null);
  for (const key of Object.keys(value).sort()) result[key] = sorted(value[key]);
  return result;
}
