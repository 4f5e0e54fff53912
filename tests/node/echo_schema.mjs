// The conformance suite's scenario `json-schema-2020-12-preservation` wants a tool's schema back as
// it was listed: lists with the program given first, and sends it. The suite appends the URL.
import { spawnSync } from 'node:child_process';

const [program, url] = process.argv.slice(2);

function tryConnector(...more) {
  const ran = spawnSync(program, ['try-connector', '--json', '--url', url, ...more]);
  process.stderr.write(ran.stderr);
  if (ran.status !== 0) process.exit(1);
  return JSON.parse(ran.stdout);
}

const { tools } = tryConnector();
const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool').input_schema;
tryConnector('--tool', 'json_schema_echo', '--arguments', JSON.stringify({ schema }));
