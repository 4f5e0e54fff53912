// A link that carries a right: one call, for the one person who reads it, until it is over.
import { ask, assert, checkForEverybody, given, inChromium, until } from './stage.mjs';

const { url } = given;

await inChromium(async (person) => {
  const she = await person({ viewport: { width: 390, height: 780 } });
  const { link, id } = await ask('link', { word: 'by link' });

  // One whose time will run out while it is open.
  const late = await ask('link', { word: 'too late', wait: 3 });
  const slow = await person();
  const open = await slow.open(url + late.link);
  await open.getByText('too late').first().waitFor();

  // Opening it decides nothing, and leaves nothing in the address bar.
  const page = await she.open(url + link);
  const call = page.locator('article.call');
  await call.getByText('by link').first().waitFor();
  await call.getByText('Asked of Anya (anya-1), who wrote the message').waitFor();
  assert.equal(new URL(page.url()).hash, '');
  assert.equal((await ask('ran')).calls.length, 0);
  await checkForEverybody(page, 'a link’s page');

  // The right is a cookie that no script reads, that no other site sends, and for this call alone.
  const [cookie, ...others] = await she.context.cookies(`${url}/v1/inbox/${id}`);
  assert.deepEqual(others, []);
  assert.ok(cookie.httpOnly && cookie.sameSite === 'Strict' && cookie.path === `/v1/inbox/${id}`);
  assert.ok(cookie.expires * 1000 < Date.now() + 11 * 60 * 1000);
  assert.deepEqual(await she.context.cookies(`${url}/v1/inbox`), []);
  assert.equal(await page.evaluate(() => document.cookie), '');
  const elsewhere = await page.evaluate(async (other) => (await fetch(`v1/inbox/${other}`)).status, (await ask('held', { word: 'not hers' })).id);
  assert.equal(elsewhere, 401);

  // It lives through a reload, and answers.
  await page.reload();
  await call.getByRole('button', { name: 'Edit…' }).click();
  await call.getByLabel('message').fill('by link, changed');
  await call.getByRole('button', { name: 'Approve with changes' }).click();
  await call.getByText('anya-1 approved it').waitFor();
  await call.locator('.result strong', { hasText: 'Done' }).waitFor();
  assert.equal(JSON.parse((await ask('ran')).calls[0].arguments).message, 'by link, changed');

  // One that was changed on its way; one that was made for another call.
  const forged = await person();
  const bad = await forged.open(url + (await ask('link', { word: 'forged' })).link.replace(/right=.*/, 'right=AAAAAAAAAAAAAAAAAAAAAA'));
  await bad.getByText('This link is not good').waitFor();

  // A link without a right asks who it is, and leads them to the call.
  const plain = await person();
  const pointed = await plain.open(`${url}/inbox?approval=${(await ask('held', { word: 'not hers' })).id}`);
  await pointed.getByText('Whose inbox?').waitFor();
  await pointed.getByLabel('Token').fill(given.ben);
  await pointed.keyboard.press('Enter');
  await pointed.locator('article.call.pointed').getByText('not hers').first().waitFor();

  // A link that is put into a tab with another page of ours.
  const { link: next } = await ask('link', { word: 'one more' });
  await pointed.evaluate((to) => { location.href = to; }, next);
  await pointed.locator('article.call').getByText('one more').first().waitFor();
  assert.equal(await pointed.locator('article.call').count(), 1);
  await pointed.evaluate((token) => { location.hash = `token=${token}`; }, given.ben);
  await pointed.getByText('of ben-2').waitFor();
  assert.equal(new URL(pointed.url()).hash, '');

  // The time of the first runs out while it is open, and after.
  await open.getByText('Nobody answered in time. Nothing was sent.').waitFor();
  assert.equal(await open.getByRole('button', { name: 'Approve' }).count(), 0);
  const after = await slow.open(url + late.link);
  await after.getByText('This link has ended').waitFor();
  await checkForEverybody(after, 'a link that has ended');
  await until(async () => (await ask('ran')).calls.length === 1, 'nothing else to have run');
}, { hosts: [new URL(url).host] });
