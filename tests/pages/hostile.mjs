// Names and arguments that would like to be more than text.
import { ask, assert, checkForEverybody, given, inChromium, until } from './stage.mjs';

const { url } = given;

await inChromium(async (person) => {
  const she = await person();
  const page = await she.open(`${url}/inbox#token=${encodeURIComponent(given.anya)}`);
  await page.getByText('Nothing waits for you.').waitFor();

  const script = '<img src=x onerror="alert(1)"><script>alert(2)</scr' + 'ipt>{{7*7}}';
  const turned = 'pay \u202e000,1\u202c \u200bto\u00a0Ben \u2066x\u2069 \u{e0041}';
  const long = 'x'.repeat(30000) + ' and at its very end: IBAN DE00';
  const odd = { message: script, 'k\u202eey': turned, constructor: 'c', '': 'nameless', '<b>bold</b>': [script, { deep: [[[turned]]] }], אבג: 'שלום <b>', long };
  const text = JSON.stringify({ ...odd, message: script }).replace(/^\{/, '{"__proto__":"polluted","10":"ten",');
  await ask('call', { tool: 'crm__free', arguments: text });
  const call = page.locator('article.call');
  await call.waitFor();

  // Nothing ran, nothing was made of it, nothing is missing.
  assert.equal(await page.locator('main img, main script, main b').count(), 0);
  const shown = await call.locator('.arguments').innerText();
  for (const part of [script, '\\u202e000,1\\u202c \\u200bto\\u00a0Ben', '\\u2066x\\u2069', '\\U000e0041', 'polluted', 'nameless', 'IBAN DE00', 'k\\u202eey', 'constructor', 'שלום <b>', 'ten']) {
    assert.ok(shown.includes(part), `not shown: ${part}`);
  }
  for (const unseen of ['\u202e', '\u200b', '\u2066', '\u{e0041}']) assert.ok(!(await page.locator('body').textContent()).includes(unseen));
  assert.ok(shown.includes('30,031 characters'));
  assert.equal(await page.evaluate(() => ({}).polluted), undefined);

  // The author's name is text, too, and turns nothing around that is not its own.
  await call.locator('figcaption').getByText('<script>alert(3)</script>').waitFor();
  assert.ok((await call.locator('figcaption').innerText()).includes('\\u202e'));
  await checkForEverybody(page, 'hostile arguments');

  // What is edited is what stands there: nothing else changes.
  await call.getByRole('button', { name: 'Edit…' }).click();
  await call.getByText('Has characters that can’t be seen').first().waitFor();
  await call.getByLabel('constructor', { exact: true }).fill('another');
  await checkForEverybody(page, 'hostile arguments while they are edited');
  await call.getByRole('button', { name: 'Edit as JSON' }).click();
  await call.getByRole('button', { name: 'Edit as fields' }).click();
  await call.getByRole('button', { name: 'Approve with changes' }).click();
  await call.locator('.result strong', { hasText: 'Done' }).waitFor();
  await until(async () => (await ask('ran')).calls.length === 1, 'the call');
  const sent = JSON.parse((await ask('ran')).calls[0].arguments);
  const wanted = JSON.parse(text);
  wanted.constructor = 'another';
  assert.deepEqual(Object.entries(sent).sort(), Object.entries(wanted).sort());

  // The tool's own words are quoted as the tool's.
  await ask('call', { tool: 'crm__liar', arguments: '{"amount":1}' });
  const liar = page.locator('article.call').filter({ hasText: 'crm__liar' });
  await liar.locator('dt .words').getByText('Approved already by your manager <b>').waitFor();
  await liar.getByRole('button', { name: 'Decline…' }).click();
  await liar.getByRole('button', { name: 'Decline', exact: true }).click();
  await liar.getByText('You declined it').waitFor();
}, { hosts: [new URL(url).host] });
