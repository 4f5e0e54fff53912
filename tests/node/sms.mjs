// What the emulator signs and what Writ sends to Twilio, judged by others: Twilio's own validator
// and its description of its API. Reads a record of both, prints every fault.
import {readFileSync} from 'node:fs';
import Ajv from 'ajv';
import twilio from 'twilio';

const [recordPath, specs] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const record = json(recordPath);
const api = json(`${specs}/twilio-messages.subset.json`);
const {get: list, post: operation} = api.paths['/2010-04-01/Accounts/{AccountSid}/Messages.json'];
const form = operation.requestBody.content['application/x-www-form-urlencoded'].schema;
const ajv = new Ajv({strict: false, logger: false, validateFormats: false});
const isMessage = ajv.compile({...form, additionalProperties: false, components: api.components});
const isAccount = ajv.compile(operation.parameters.find(({name}) => name === 'AccountSid').schema);

const isList = ajv.compile({
  ...list.responses['200'].content['application/json'].schema, components: api.components});

const faults = [];
for (const {query, answer} of record.looks) {
  for (const [name, value] of Object.entries(query)) {
    const parameter = list.parameters.find((one) => one.in === 'query' && one.name === name);
    const {type} = parameter?.schema ?? {};
    if (!parameter || !ajv.validate(parameter.schema, type === 'integer' ? Number(value) : value)) {
      faults.push(`look: ${name}`);
    }
  }
  if (!isList(JSON.parse(answer))) faults.push(`list: ${ajv.errorsText(isList.errors)}`);
}
if (record.looks.length === 0) faults.push('no looks');
for (const {body, signature} of record.deliveries) {
  const fields = Object.fromEntries(new URLSearchParams(body));
  if (!twilio.validateRequest(record.authToken, signature, record.url, fields)) {
    faults.push('delivery: the validator refuses its signature');
  }
  if (twilio.validateRequest(record.authToken, signature, record.url, {...fields, Body: 'more'})) {
    faults.push('delivery: the validator takes anything');
  }
}
if (!isAccount(record.account)) faults.push(`account: ${ajv.errorsText(isAccount.errors)}`);
for (const fields of record.calls) {
  if (!isMessage(fields)) faults.push(`call: ${ajv.errorsText(isMessage.errors)}`);
}
if (record.calls.length === 0) faults.push('no calls');
console.log(`${record.deliveries.length} deliveries, ${record.calls.length} calls, ${faults.length} faults`);
faults.forEach((fault) => console.log(fault));
process.exit(faults.length === 0 ? 0 : 1);
