// What our signatures are to others' libraries: POST /check answers a question that standardwebhooks
// verifies, in its own signature; POST /for tells the claims of the Writ-For header that jose verifies.
import {createServer} from 'node:http';
import {jwtVerify} from 'jose';
import {Webhook} from 'standardwebhooks';

const [port, secret, forwardSecret, audience] = process.argv.slice(2);

function secretOf(text) {
  return text.startsWith('whsec_') ? new Webhook(text) : new Webhook(text, {format: 'raw'});
}

function check(request, body) {
  const webhook = secretOf(secret);
  const question = webhook.verify(body, request.headers);
  const answer = JSON.stringify({
    approval_id: question.approval_id,
    args_digest: question.args_digest,
    decision: question.arguments.amount > 100 ? 'block' : 'allow',
  });
  const id = request.headers['webhook-id'];
  const now = new Date();
  return [answer, {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, now, answer),
  }];
}

async function tellFor(request) {
  const key = new TextEncoder().encode(forwardSecret);
  const {payload} = await jwtVerify(request.headers['writ-for'], key, {audience, algorithms: ['HS256']});
  return [JSON.stringify(payload), {}];
}

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    try {
      const body = Buffer.concat(parts).toString();
      const [answer, headers] = request.url === '/for' ? await tellFor(request) : check(request, body);
      response.writeHead(200, {'content-type': 'application/json', ...headers}).end(answer);
    } catch (fault) {
      response.writeHead(401).end(String(fault));
    }
  });
}).listen(Number(port), '127.0.0.1');
