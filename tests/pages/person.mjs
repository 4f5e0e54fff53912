// A person's inbox: what waits for them in all of their conversations, and their answers.
import { ask, assert, checkForEverybody, focusedText, given, inChromium, lookAgain, picture, until } from './stage.mjs';

const { url, anya, ben } = given;
const inboxOf = (token) => `${url}/inbox#token=${encodeURIComponent(token)}`;
const hold = async (page, text) => {
  await ask('say', { text, held: true });
  await lookAgain(page);
};
const callOf = (page, text) => page.locator('article.call').filter({ hasText: text });

await inChromium(async (person) => {
  const she = await person();

  // ---- a token is wanted, and stays in this tab ----
  const page = await she.open(`${url}/inbox`);
  await page.getByText('Whose inbox?').waitFor();
  await checkForEverybody(page, 'the sign-in');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('A token is wanted.').waitFor();
  await page.getByLabel('Token').fill('no.token.atall');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('That token is not good here.').waitFor();
  await page.getByLabel('Token').fill(given.server);
  await page.keyboard.press('Enter');
  await page.getByText('belongs in no browser').waitFor();
  await page.getByLabel('Token').fill(anya);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for you.').waitFor();
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  await page.reload();
  await page.getByText('Nothing waits for you.').waitFor();

  // ---- it comes by itself, from every conversation, with who, where, why and what ----
  await ask('say', { text: `!crm__book ${given.booking}` });
  const booking = callOf(page, 'crm__book');
  await booking.getByText('You are asked, for you wrote the message').waitFor();
  await booking.getByText('callouts:team-1').waitFor();
  await booking.getByText('Anya wrote').waitFor();
  await booking.locator('blockquote').getByText('!crm__book').waitFor();
  await booking.getByText('Who comes: how many chairs').waitFor();
  await booking.locator('.value.number', { hasText: '12345678901234567890' }).waitFor();
  await booking.getByText('yes (true)').waitFor();
  const read = booking.locator('.fields').first();
  assert.equal(await read.getByText('s3cret').count(), 0);
  await booking.getByRole('button', { name: 'Show' }).click();
  await read.getByText('s3cret').waitFor();
  const left = booking.locator('header .state', { hasText: /\d+:\d\d left/ });
  const then = await left.textContent();
  await until(async () => (await left.textContent()) !== then, 'the time to go by');
  await page.getByText('One call waits for you.').waitFor();
  assert.equal(await page.title(), '(1) Inbox · Writ');
  await ask('say', { text: '!crm__echo {"message":"in the other channel"}', cid: 'callouts:team-2', held: true });
  await lookAgain(page);
  await callOf(page, 'in the other channel').getByText('callouts:team-2').waitFor();
  await checkForEverybody(page, 'the inbox with calls');

  // Ben has an inbox of his own in another tab of the same browser, without them.
  const bens = await she.open(inboxOf(ben));
  await bens.getByText('Nothing waits for you.').waitFor();
  assert.equal(new URL(bens.url()).hash, '');
  await page.reload();
  await callOf(page, 'in the other channel').waitFor();
  await bens.close();

  // ---- edit: told at once what does not fit, and by the server what it alone knows ----
  await booking.getByRole('button', { name: 'Edit…' }).click();
  const guests = booking.getByLabel('guests');
  await guests.fill('twelve');
  await booking.getByText('must be a number').waitFor();
  await guests.fill('21');
  await booking.getByText('must be at most 20').waitFor();
  assert.equal(await guests.getAttribute('aria-invalid'), 'true');
  await guests.fill('4');
  assert.ok(await booking.getByRole('button', { name: 'Approve with changes' }).isEnabled());
  await until(async () => (await guests.getAttribute('aria-invalid')) === null, 'the hint to go');
  await booking.getByLabel('room').selectOption('blue');
  await booking.getByLabel('zip').fill('9');
  await booking.getByText('must match').waitFor();
  await checkForEverybody(page, 'the inbox while arguments are edited');
  await picture(booking, 'inbox-edit');
  await booking.getByLabel('zip').fill('10115');
  await booking.getByLabel('start').fill('tomorrow');
  await booking.getByRole('button', { name: 'Approve with changes' }).click();
  // The form does not know dates in words: the server says so, at the field.
  await booking.locator('.row', { has: page.getByLabel('start') }).locator('.fault').filter({ hasText: /\S/ }).waitFor();
  assert.equal((await ask('ran')).calls.length, 0);
  await booking.getByLabel('start').fill('2026-12-24');
  await booking.getByRole('button', { name: 'Remove notes' }).click();
  await booking.getByRole('button', { name: 'Approve with changes' }).click();
  await booking.getByText('You approved it').waitFor();
  await booking.locator('.result strong', { hasText: 'Done' }).waitFor();
  await booking.getByText('The reply in the conversation').waitFor();
  await until(async () => (await ask('ran')).calls.length === 1, 'the call');
  const [call] = (await ask('ran')).calls;
  assert.equal(call.tool, 'book');
  const sent = JSON.parse(call.arguments);
  assert.equal(sent.guests, 4);
  assert.equal(sent.room, 'blue');
  assert.equal(sent.address.zip, '10115');
  assert.ok(!('notes' in sent));
  assert.ok(call.arguments.includes('12345678901234567890'), 'what nobody touched keeps every digit');

  // ---- decline with words, by keyboard alone ----
  const other = callOf(page, 'in the other channel');
  await other.getByRole('button', { name: 'Decline…' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Not before Monday.');
  await page.keyboard.press('Tab');
  assert.equal(await focusedText(page), 'Decline');
  await page.keyboard.press('Enter');
  await other.getByText('You declined it: Not before Monday.').waitFor();
  await until(async () => (await ask('told')).results.some((text) => text.includes('Not before Monday.')), 'the model to be told');
  assert.equal((await ask('ran')).calls.length, 1);

  // ---- two tabs decide at once: one counts, the other sees the true state ----
  await hold(page, '!crm__echo {"message":"both at once"}');
  const second = await she.open(inboxOf(anya));
  const [one, two] = [callOf(page, 'both at once'), callOf(second, 'both at once')];
  await one.waitFor();
  await two.waitFor();
  await second.route('**/tool_approvals', async (route) => { // it leaves when the other has counted
    await one.getByText('You approved it').waitFor();
    await route.continue();
  });
  await Promise.all([one.getByRole('button', { name: 'Approve' }).click(), (async () => {
    await two.getByRole('button', { name: 'Decline…' }).click();
    await two.getByRole('button', { name: 'Decline', exact: true }).click();
  })()]);
  await two.getByText('You approved it').waitFor();
  await until(async () => (await ask('ran')).calls.length === 2, 'the call');

  // A tab where nothing was pressed hears of it, too.
  await hold(page, '!crm__echo {"message":"elsewhere"}');
  await lookAgain(second);
  await callOf(second, 'elsewhere').waitFor();
  await callOf(page, 'elsewhere').getByRole('button', { name: 'Approve' }).click();
  await callOf(page, 'elsewhere').getByText('You approved it').waitFor();
  await lookAgain(second);
  await callOf(second, 'elsewhere').getByText('You approved it').waitFor();
  await second.close();

  // ---- the connection is lost and comes back ----
  await hold(page, '!crm__echo {"message":"through a tunnel"}');
  const tunnel = callOf(page, 'through a tunnel');
  await tunnel.waitFor();
  await she.context.setOffline(true);
  await tunnel.getByRole('button', { name: 'Approve' }).click();
  await tunnel.getByText('your answer may not have arrived').waitFor();
  await page.getByText('No connection to Writ.').waitFor();
  assert.ok(await tunnel.getByRole('button', { name: 'Approve' }).isEnabled());
  await she.context.setOffline(false);
  await until(async () => !(await page.locator('#trouble').isVisible()), 'the connection');
  await tunnel.getByRole('button', { name: 'Approve' }).click();
  await tunnel.getByText('You approved it').waitFor();
  await tunnel.locator('.result strong', { hasText: 'Done' }).waitFor();

  // ---- an answer that arrived though its reply was lost ----
  await hold(page, '!crm__echo {"message":"half a tunnel"}');
  const half = callOf(page, 'half a tunnel');
  await half.waitFor();
  await page.route('**/tool_approvals', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await half.getByRole('button', { name: 'Approve' }).click();
  await half.getByText('You approved it').waitFor();
  await page.unroute('**/tool_approvals');

  // ---- the chat platform can't be asked ----
  await hold(page, '!crm__echo {"message":"a platform that is down"}');
  const down = callOf(page, 'a platform that is down');
  await down.waitFor();
  await ask('platform', { down: true });
  await down.getByRole('button', { name: 'Approve' }).click();
  await down.getByText('The call is still held; try again.').waitFor();
  await ask('platform', { down: false });
  await down.getByRole('button', { name: 'Approve' }).click();
  await down.getByText('You approved it').waitFor();

  // ---- schemas that no form can be made of leave JSON, and a form that works ----
  await hold(page, '!crm__tree {"name":"oak"}');
  const tree = callOf(page, 'crm__tree');
  await tree.getByRole('button', { name: 'Edit…' }).click();
  await tree.getByRole('button', { name: 'Add child' }).click();
  await tree.getByText('is missing').waitFor();
  await tree.getByRole('button', { name: 'Remove child' }).click();
  await tree.getByLabel('name', { exact: true }).fill('elm');
  await tree.getByRole('button', { name: 'Add boxes' }).click();
  for (let level = 1; level < 5; level += 1) await tree.getByRole('button', { name: 'Add one' }).first().click();
  await tree.locator('textarea.mono').fill('[[[]]]');
  await tree.getByRole('button', { name: 'Approve with changes' }).click();
  await tree.locator('.result strong', { hasText: 'Done' }).waitFor();
  const grown = (await ask('ran')).calls.find(({ tool }) => tool === 'tree');
  assert.deepEqual(JSON.parse(grown.arguments), { name: 'elm', boxes: [[[[[[[]]]]]]] });

  // ---- what is settled is put away; who signs out leaves nothing ----
  await until(async () => (await page.locator('article.call .result').getByText('The reply in the conversation').count()) === (await page.locator('article.call').count()), 'every reply');
  await page.getByRole('button', { name: 'Put away what is settled' }).click();
  await page.locator('article.call').first().waitFor({ state: 'detached' });
  assert.equal(await page.locator('article.call').count(), 0);
  await page.getByText('Nothing waits for you.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Whose inbox?').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
}, { hosts: [new URL(url).host] });
