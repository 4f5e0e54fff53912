// Schemas are strangers': whatever stands in one, arguments can be read, and edited at least as JSON.
import { assert, given, inChromium } from './stage.mjs';

const { url } = given;
const wound = (levels, inner) => (levels ? { type: 'object', required: ['a'], properties: { a: wound(levels - 1, inner) } } : inner);
const nested = (levels) => (levels ? { a: nested(levels - 1) } : 1);

const SCHEMAS = {
  'one that needs itself': { $ref: '#/$defs/node', $defs: { node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/node' } } } } },
  'one that is itself': { $ref: '#' },
  'two that are each other': { properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/x' } } },
  'a list of itself': { type: 'object', properties: { a: { type: 'array', items: { $ref: '#' } } } },
  'references to nowhere': { properties: { a: { $ref: '#/$defs/none' }, b: { $ref: 'https://example.org/x' }, c: { $ref: '#/%zz/%' }, d: { $ref: 7 } } },
  'very deep': wound(100, { type: 'string' }),
  'patterns that are none': { properties: { a: { type: 'string', pattern: '(?<' }, b: { type: 'string', pattern: '[' }, c: { type: 'string', pattern: '^(a+)+$' } } },
  'keywords of the wrong type': { type: [{}, 7], required: [{}, [], null, 'a'], properties: { a: { type: {}, enum: 'x', minLength: 'y', items: [true], title: 7, default: {} }, b: true, c: null, d: [] } },
  'required that is no list': { type: 'object', required: { length: 3 }, properties: [] },
  'an empty choice': { properties: { a: { enum: [] }, b: { type: 'string', enum: [{}, 1] } } },
  'names like the machine’s own': { properties: { constructor: { type: 'string' }, hasOwnProperty: { type: 'number' }, toString: { type: 'object' } } },
  'no object': true,
  nothing: null,
  'a list': [],
};
const VALUES = [{}, { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', b: null, c: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', d: 1 }, { a: [[], {}], constructor: 1 }, nested(200)];

await inChromium(async (person) => {
  const page = await (await person()).open(`${url}/inbox`);
  // Beside what the page shows of its own, which is left to its script.
  await page.evaluate(() => document.body.append(document.createElement('section')));
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    for (const value of VALUES) {
      const said = await page.evaluate(async ([schemaText, text]) => {
        const { parse, same: equal } = await import('/pages/json.js');
        const { editForm } = await import('/inbox/form.js');
        const { readable } = await import('/inbox/fields.js');
        const { emptyContent } = await import('/inbox/question.js');
        const its = parse(schemaText);
        const start = parse(text);
        let state = null;
        const form = editForm(its, start, (now) => { state = now; });
        document.querySelector('body > section:last-child').replaceChildren(readable(start, its), form.element);
        const same = state.value !== undefined && equal(state.value, parse(text));
        const begins = its === null ? {} : emptyContent(its);
        editForm(its, begins, () => {});
        // Everything that the form offers may be pressed.
        for (const add of [...form.element.querySelectorAll('button')].slice(0, 8)) add.click();
        const input = form.element.querySelector('input, textarea, select, button');
        return { same, input: Boolean(input) };
      }, [JSON.stringify(schema), JSON.stringify(value)]);
      assert.deepEqual(said, { same: true, input: true }, `${name} with ${JSON.stringify(value).slice(0, 60)}`);
    }
  }
}, { hosts: [new URL(url).host] });
