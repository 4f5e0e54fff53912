// An MCP server of the stateless era on the protocol's own SDK, for tests of the client. `reject`
// as argument: of that era alone; else it serves both. PORT says where.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const schema = (properties) => fromJsonSchema({ type: 'object', properties });

// What ran, for tests that count it.
const runs = {};

function makeServer() {
  const server = new McpServer({ name: 'crm', version: '1.0.0' });
  const tool = (name, properties, run) =>
    server.registerTool(name, { description: name, inputSchema: schema(properties) }, (args, ctx) => {
      runs[name] = (runs[name] ?? 0) + 1;
      return run(args, ctx);
    });
  tool('echo', { message: { type: 'string' } }, ({ message }) => text(`Echo: ${message}`));
  tool('route', { region: { type: 'string', 'x-mcp-header': 'Region' } }, ({ region }, ctx) =>
    text(`${region} by ${ctx.http?.req?.headers.get('mcp-param-region')}`));
  tool('runs', {}, () => text(JSON.stringify(runs)));
  tool('slow', { steps: { type: 'integer' } }, async ({ steps }, ctx) => {
    for (let step = 1; step <= steps; ++step) {
      await sleep(400);
      const progressToken = ctx.mcpReq._meta?.progressToken;
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: step, total: steps },
      });
    }
    return text('slow but sure');
  });
  tool('greet', {}, (_, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.name;
    if (answer?.action === 'accept') return text(`Hello, ${answer.content.name}`);
    if (answer) return text(`You said ${answer.action}`);
    return inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: 'What is your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      },
      requestState: 'as it was',
    });
  });
  return server;
}

const handler = createMcpHandler(makeServer, {
  legacy: process.argv.includes('reject') ? 'reject' : 'stateless',
});
createServer(toNodeHandler(handler)).listen(Number(process.env.PORT), '127.0.0.1');
