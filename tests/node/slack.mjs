// What the emulator signs and what Writ sends to Slack, judged by others: Bolt's signature check,
// Slack's own descriptions of its API and its events, and the types of Slack's client for messages'
// blocks, forms and the app's manifest. Reads a record of what was signed and sent, prints every fault.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import bolt from '@slack/bolt';
import Ajv from 'ajv';
import ts from 'typescript';

const [recordPath, specs, manifestPath] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const record = json(recordPath);
const api = json(`${specs}/slack-web-api.subset.json`);
const wrapper = json(`${specs}/slack-event-wrapper.schema.json`);
const events = json(`${specs}/slack-events-api.subset.json`);
// The descriptions are from 2020: these came later.
const laterFields = {'chat.postMessage': ['metadata'], 'chat.update': ['metadata'],
  'conversations.replies': ['include_all_metadata'], 'conversations.history': ['include_all_metadata']};
for (const one of [wrapper, events.components.schemas.GenericEventWrapper]) {
  one.required = one.required.filter((name) => name !== 'authed_users');  // now `authorizations`
}

const faults = [];
const ajv = new Ajv({strict: false, logger: false});
const isEnvelope = ajv.compile(wrapper);
const isMessage = ajv.compile({...events.topics['message.channels'].subscribe.payload,
  components: events.components});

function checkDelivery({headers, body}) {
  try {
    bolt.verifySlackRequest({signingSecret: record.signingSecret, body, headers: {
      'x-slack-signature': headers['x-slack-signature'],
      'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp']),
    }});
  } catch (fault) {
    faults.push(`delivery: ${fault.message}`);
  }
  if (!body.startsWith('{')) return;
  const envelope = JSON.parse(body);
  if (!isEnvelope(envelope)) faults.push(`event: ${ajv.errorsText(isEnvelope.errors)}`);
  if (envelope.event.type === 'message' && !isMessage(envelope)) {
    faults.push(`message: ${ajv.errorsText(isMessage.errors)}`);
  }
}

const kinds = {
  boolean: (text) => text === 'true' || text === 'false',
  integer: (text) => /^[0-9]+$/.test(text),
  number: (text) => text !== '' && Number.isFinite(Number(text)),
  string: () => true,
};

function checkCall({method, fields}) {
  const path = api.paths[`/${method}`];
  if (path === undefined) return void faults.push(`call: ${method} is no method`);
  const known = new Map(Object.values(path)[0].parameters.map((one) => [one.name, one]));
  for (const [name, value] of Object.entries(fields)) {
    const parameter = known.get(name);
    if (parameter === undefined) {
      if (!laterFields[method]?.includes(name)) faults.push(`call: ${method} has no ${name}`);
    } else if (!kinds[parameter.type](value)) {
      faults.push(`call: ${method}'s ${name} is no ${parameter.type}`);
    }
  }
  for (const parameter of known.values()) {
    const isThere = parameter.in === 'header' || parameter.name in fields;
    if (parameter.required && !isThere) faults.push(`call: ${method} lacks ${parameter.name}`);
  }
}

// Each value as its type of Slack's client has it, in a source that is nowhere written.
function faultsOfTypes(values) {
  const name = fileURLToPath(new URL('./slack_values.mts', import.meta.url));
  const source = "import type {KnownBlock, ModalView} from '@slack/types';\n" +
    "import type {AppsManifestCreateArguments} from '@slack/web-api';\n" +
    "type Manifest = AppsManifestCreateArguments['manifest'];\n" +
    values.map(([type, text], i) => `export const value${i}: ${type} = ${text};\n`).join('');
  const options = {noEmit: true, strict: true, skipLibCheck: true, types: [],
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext};
  const host = ts.createCompilerHost(options);
  const {fileExists, readFile, getSourceFile} = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? source : readFile(path));
  host.getSourceFile = (path, ...rest) => (path === name
    ? ts.createSourceFile(path, source, options.target) : getSourceFile(path, ...rest));
  const told = ts.getPreEmitDiagnostics(ts.createProgram([name], options, host));
  return told.map(({messageText}) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const manifest = readFileSync(manifestPath, 'utf8');
const values = [['Manifest', manifest]];
for (const {fields} of record.calls) {
  if (fields.blocks !== undefined) values.push(['KnownBlock[]', fields.blocks]);
  if (fields.view !== undefined) values.push(['ModalView', fields.view]);
}
if (!values.some(([type]) => type === 'ModalView')) faults.push('no form');
faultsOfTypes(values).forEach((fault) => faults.push(`type: ${fault}`));
const wrong = [['Manifest', manifest.replace('"chat:write"', '"chat:wrte"')],
  ['KnownBlock[]', '[{"type":"section","txt":{}}]'], ['ModalView', '{"type":"modal"}']];
if (faultsOfTypes(wrong).length !== wrong.length) faults.push('type: anything is taken');

record.deliveries.forEach(checkDelivery);
record.calls.forEach(checkCall);
console.log(`${record.deliveries.length} deliveries, ${record.calls.length} calls, ${faults.length} faults`);
faults.forEach((fault) => console.log(fault));
process.exit(faults.length === 0 ? 0 : 1);
