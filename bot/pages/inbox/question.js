// What a tool asks instead of answering: an approval of kind `input`, whose arguments are
// {"<key>": {"message", "requestedSchema"}}. One question is answered by its content, several by
// {"<key>": content}.
import { JsonNumber, isObject } from '../pages/json.js';
import { requiredOf, resolve, typesOf } from './schema.js';

const DEEPEST = 6; // a schema may need itself, for ever
const ZERO = new JsonNumber('0');

export function questionsOf(value) {
  return Object.keys(value).map((key) => ({
    key,
    message: String((isObject(value[key]) && value[key].message) || ''),
    schema: (isObject(value[key]) && value[key].requestedSchema) || Object.create(null),
  }));
}

export function questionSchema(value) {
  const questions = questionsOf(value);
  if (questions.length === 1) return questions[0].schema;
  const schema = Object.assign(Object.create(null), { type: 'object', properties: Object.create(null), required: questions.map(({ key }) => key) });
  for (const { key, schema: one } of questions) schema.properties[key] = one;
  return schema;
}

// What its form begins with: each member that is needed, empty.
export const emptyContent = (schema) => emptyOf(schema, schema);

// A value to begin with, of that part of a schema. Deep down what is needed is left out, which the
// hints then say.
export function emptyOf(part, root, depth = 0) {
  const schema = resolve(part, root);
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum) && schema.enum.length) return schema.enum[0];
  const type = typesOf(schema)[0] || (isObject(schema.properties) ? 'object' : 'string');
  if (type === 'object') {
    const value = Object.create(null);
    for (const key of depth < DEEPEST ? requiredOf(schema) : []) {
      if (isObject(schema.properties) && key in schema.properties) value[key] = emptyOf(schema.properties[key], root, depth + 1);
    }
    return value;
  }
  switch (type) {
    case 'integer':
    case 'number':
      return ZERO;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return '';
  }
}
