// A tool that asks a person before it goes on: its words are quoted, its form is the page's.
import { ask, assert, checkForEverybody, given, inChromium, lookAgain, until } from './stage.mjs';

const { url } = given;

await inChromium(async (person) => {
  const she = await person();
  const page = await she.open(`${url}/inbox#token=${encodeURIComponent(given.anya)}`);
  await page.getByText('Nothing waits for you.').waitFor();
  await ask('say', { text: '!crm__lookup {"name":"anya"}', held: true });
  await lookAgain(page);
  const call = page.locator('article.call');
  await call.getByText('The tool asks, in its own words:').waitFor();
  await call.locator('blockquote', { hasText: 'Which size?' }).waitFor();
  assert.equal(await call.getByRole('button', { name: 'Approve' }).count(), 0);
  await call.getByRole('button', { name: 'Answer…' }).click();
  await call.getByLabel('size').selectOption('M');
  await call.getByRole('button', { name: 'Add note' }).click();
  await call.getByRole('textbox', { name: 'note' }).fill('Blue, please.');
  await checkForEverybody(page, 'a tool’s question');
  await call.getByRole('button', { name: 'Send the answer' }).click();
  await call.locator('.result strong', { hasText: 'Done' }).waitFor();
  await until(async () => (await ask('ran')).calls.length === 2, 'the call to go on');
  const [, second] = (await ask('ran')).calls;
  assert.deepEqual(JSON.parse(second.input), { size: { action: 'accept', content: { note: 'Blue, please.', size: 'M' } } });
}, { hosts: [new URL(url).host] });
