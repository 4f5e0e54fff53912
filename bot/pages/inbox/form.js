// Arguments as a person changes them: a field for each, made from the tool's schema; what no field
// fits is edited as JSON. An editor has `element`, `read()` ({value}, or {fault} where there is none)
// and `slots`, the places of faults by JSON pointer.
import { JsonNumber, NUMBER, isObject, parse, stringify, typeOf } from '../pages/json.js';
import { button, hasUnseen, make, said, show } from '../pages/dom.js';
import { isSecret, keysOf, nameOf, wordsOf } from './fields.js';
import { emptyOf } from './question.js';
import { hintsFor, pointerTo, requiredOf, resolve, typesOf } from './schema.js';

const DEEPEST = 5; // groups within groups: deeper ones are edited as JSON

let lastId = 0;
const freshId = () => `field-${(lastId += 1)}`;

class Form {
  constructor(schema, changed) {
    this.root = isObject(schema) ? schema : Object.create(null);
    this.changed = changed;
    this.slots = new Map(); // by pointer: {fault, inputs}
  }

  // A label, an input, and the line where its faults stand.
  row(pointer, key, schema, input, more = []) {
    const id = freshId();
    const fault = make('p', { class: 'fault fine', id: `${id}-fault`, hidden: true });
    const words = wordsOf(schema);
    const help = words ? said(words, { tag: 'p', class: 'words', id: `${id}-words` }) : null;
    input.id = id;
    input.setAttribute('aria-describedby', words ? `${id}-words ${id}-fault` : `${id}-fault`);
    this.slots.set(pointer, { fault, input });
    const label = make('label', { for: id }, nameOf(key));
    return make('div', { class: 'row' }, make('div', { class: 'row-head' }, label, ...more), help, input, fault);
  }

  editor(schema, value, pointer, key, more) {
    const types = typesOf(schema);
    const type = typeOf(value);
    const expected = (...names) => !types.length || types.some((one) => names.includes(one));
    if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber) && pointer.split('/').length > DEEPEST) {
      return this.json(schema, value, pointer, key, more);
    }
    if (Array.isArray(schema.enum) && schema.enum.length && schema.enum.every((one) => typeof one !== 'object' || one instanceof JsonNumber || one === null)) {
      return this.choice(schema, value, pointer, key, more);
    }
    if (type === 'boolean' && expected('boolean')) return this.flag(schema, value, pointer, key, more);
    if (type === 'string' && expected('string')) return this.text(schema, value, pointer, key, more);
    if ((type === 'integer' || type === 'number') && expected('integer', 'number')) return this.number(schema, value, pointer, key, more);
    if (type === 'object' && expected('object')) return this.object(schema, value, pointer, key, more);
    if (type === 'array' && expected('array')) return this.list(schema, value, pointer, key, more);
    return this.json(schema, value, pointer, key, more);
  }

  choice(schema, value, pointer, key, more) {
    const select = make('select', { on: { change: this.changed } });
    const all = schema.enum.map((one) => stringify(one));
    const now = stringify(value);
    const choices = all.includes(now) ? all : [now, ...all];
    for (const choice of choices) {
      const option = make('option', { value: choice, text: choice.startsWith('"') ? JSON.parse(choice) : choice });
      option.selected = choice === now;
      select.append(option);
    }
    return { element: this.row(pointer, key, schema, select, more), read: () => ({ value: parse(select.value) }) };
  }

  flag(schema, value, pointer, key, more) {
    const select = make('select', { on: { change: this.changed } }, make('option', { value: 'true', text: 'yes (true)' }), make('option', { value: 'false', text: 'no (false)' }));
    select.value = String(value);
    return { element: this.row(pointer, key, schema, select, more), read: () => ({ value: select.value === 'true' }) };
  }

  text(schema, value, pointer, key, more) {
    const secret = isSecret(schema);
    const long = !secret && (value.length > 60 || value.includes('\n'));
    const input = long
      ? make('textarea', { rows: Math.min(12, 2 + Math.ceil(value.length / 60)), dir: 'auto', spellcheck: 'false' })
      : make('input', { type: secret ? 'password' : 'text', dir: 'auto', autocomplete: 'off', spellcheck: 'false' });
    input.value = value;
    const unseen = make('p', { class: 'fine', hidden: true });
    const look = () => {
      const hides = !secret && hasUnseen(input.value.replaceAll('\n', ''));
      unseen.hidden = !hides;
      if (hides) unseen.replaceChildren('Has characters that can’t be seen: ', said(input.value, { value: true }));
    };
    input.addEventListener('input', () => {
      look();
      this.changed();
    });
    look();
    const reveal = secret ? [...more, button('Show', () => { input.type = 'text'; }, { class: 'small' })] : more;
    const element = this.row(pointer, key, schema, input, reveal);
    element.append(unseen);
    // A browser may change line ends: what nobody touched is what it was.
    const untouched = input.value;
    return { element, read: () => ({ value: input.value === untouched ? value : input.value }) };
  }

  number(schema, value, pointer, key, more) {
    const input = make('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', on: { input: this.changed } });
    input.value = value.text;
    const read = () => {
      const text = input.value.trim();
      return NUMBER.test(text) ? { value: new JsonNumber(text) } : { fault: { pointer, detail: 'must be a number, such as 12 or 0.5' } };
    };
    return { element: this.row(pointer, key, schema, input, more), read };
  }

  json(schema, value, pointer, key, more) {
    const text = stringify(value, 2);
    const area = make('textarea', { class: 'mono', rows: Math.min(16, text.split('\n').length + 1), spellcheck: 'false', on: { input: this.changed } });
    area.value = text;
    const read = () => {
      try {
        return { value: parse(area.value) };
      } catch (fault) {
        return { fault: { pointer, detail: `is no JSON: ${fault.message}` } };
      }
    };
    return { element: this.row(pointer, key, schema, area, more), read };
  }

  group(pointer, key, schema, legendMore, ...children) {
    const fault = make('p', { class: 'fault fine', hidden: true });
    const set = make('fieldset', { class: 'group' });
    this.slots.set(pointer, { fault, input: set });
    if (key !== null) {
      set.append(make('legend', {}, nameOf(key)), make('div', { class: 'row-head' }, ...legendMore));
      const words = wordsOf(schema);
      if (words) set.append(said(words, { tag: 'p', class: 'words' }));
    }
    set.append(...children, fault);
    return set;
  }

  object(schema, value, pointer, key, more = []) {
    const properties = isObject(schema.properties) ? schema.properties : Object.create(null);
    const required = requiredOf(schema);
    const members = new Map();
    const rows = make('div', { class: 'rows' });
    const offers = make('div', { class: 'offers' });
    const offer = () => {
      const absent = Object.keys(properties).filter((name) => !members.has(name));
      offers.replaceChildren(...absent.map((name) => {
        const add = button('Add ', () => {
          put(name, emptyOf(properties[name], this.root));
          offer();
          this.changed();
          members.get(name).element.querySelector('input, select, textarea')?.focus();
        }, { class: 'small' });
        add.append(nameOf(name));
        return add;
      }));
    };
    const put = (name, itsValue) => {
      const part = resolve(properties[name], this.root);
      const remove = required.includes(name) ? [] : [button('Remove', () => {
        members.get(name).element.remove();
        members.delete(name);
        this.slots.delete(pointerTo(pointer, name));
        offer();
        this.changed();
        rows.querySelector('input, select, textarea, button')?.focus();
      }, { class: 'small', 'aria-label': `Remove ${name}` })];
      const editor = this.editor(part, itsValue, pointerTo(pointer, name), name, remove);
      members.set(name, editor);
      rows.append(editor.element);
    };
    for (const name of keysOf(value, schema)) put(name, value[name]);
    offer();
    const read = () => {
      const result = Object.create(null);
      for (const [name, editor] of members) {
        const part = editor.read();
        if (part.fault) return part;
        result[name] = part.value;
      }
      return { value: result };
    };
    return { element: this.group(pointer, key, schema, more, rows, offers), read };
  }

  list(schema, value, pointer, key, more = []) {
    const items = resolve(schema.items, this.root);
    const rows = make('div', { class: 'rows' });
    let editors = [];
    const values = () => editors.map((editor) => editor.read());
    const draw = (all) => {
      editors = all.map((one, i) => {
        const remove = button('Remove', () => {
          const kept = values().map((part) => ('value' in part ? part.value : null));
          kept.splice(i, 1);
          draw(kept);
          this.changed();
        }, { class: 'small', 'aria-label': `Remove number ${i + 1}` });
        return this.editor(items, one, pointerTo(pointer, i), String(i + 1), [remove]);
      });
      rows.replaceChildren(...editors.map((editor) => editor.element));
    };
    draw(value);
    const add = button('Add one', () => {
      draw([...values().map((part) => ('value' in part ? part.value : null)), emptyOf(items, this.root)]);
      this.changed();
      editors.at(-1).element.querySelector('input, select, textarea')?.focus();
    }, { class: 'small' });
    const read = () => {
      const parts = values();
      return parts.find((part) => part.fault) || { value: parts.map((part) => part.value) };
    };
    return { element: this.group(pointer, key, schema, more, rows, make('div', { class: 'offers' }, add)), read };
  }
}

// Where a fault is told: at its place, or the nearest place around it.
function slotFor(slots, pointer) {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (slots.has(at)) return { slot: slots.get(at), rest: pointer.slice(at.length) };
    if (!at) return null;
  }
}

// What a person may change `value` into. `changed(state)` is called at once and after each change,
// with {value, faults}; value is undefined where what was typed is none.
export function editForm(schema, value, changed) {
  let editor;
  let form;
  let asJson = false;
  let known = schema;
  const place = make('div', { class: 'form' });
  const other = make('p', { class: 'fault fine', role: 'status', hidden: true });

  const tell = (faults) => {
    for (const { fault, input } of form.slots.values()) {
      show(fault, '');
      input.removeAttribute('aria-invalid');
    }
    const elsewhere = [];
    for (const { pointer, detail } of faults) {
      const found = slotFor(form.slots, pointer);
      if (!found) {
        elsewhere.push(`${pointer} ${detail}`);
        continue;
      }
      const { slot, rest } = found;
      const words = rest ? `${rest.slice(1)} ${detail}` : detail;
      show(slot.fault, slot.fault.textContent ? `${slot.fault.textContent}; ${words}` : words);
      if (slot.input.tagName !== 'FIELDSET') slot.input.setAttribute('aria-invalid', 'true');
    }
    show(other, elsewhere.join('; '));
  };

  const look = () => {
    const { value: now, fault } = editor.read();
    const faults = fault ? [fault] : hintsFor(known, now);
    tell(faults);
    changed({ value: now, faults });
  };

  const build = (start) => {
    form = new Form(known, look);
    const top = resolve(form.root, form.root);
    editor = asJson || !isObject(start)
      ? form.json(top, start, '', 'all arguments, as JSON', [])
      : form.object(top, start, '', null);
    place.replaceChildren(editor.element, other);
    look();
  };

  // A schema is a stranger's: where no fields can be made of it, there is JSON, and the server's word.
  const draw = (start) => {
    try {
      build(start);
    } catch (fault) {
      if (asJson) throw fault;
      asJson = true;
      known = null;
      toggle.hidden = true;
      build(start);
    }
  };

  const toggle = button('Edit as JSON', () => {
    const { value: now, fault } = editor.read();
    if (fault) return; // it is told at its place already
    asJson = !asJson;
    toggle.textContent = asJson ? 'Edit as fields' : 'Edit as JSON';
    draw(now);
    place.querySelector('input, select, textarea')?.focus();
  }, { class: 'small' });

  draw(value);
  return { element: make('div', {}, place, make('div', { class: 'offers' }, toggle)), tell, focus: () => place.querySelector('input, select, textarea')?.focus() };
}
