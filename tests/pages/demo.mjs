// The demo's page: who may approve what, and why, as a newcomer meets it.
import { assert, checkForEverybody, given, inChromium, lookAgain, picture, until } from './stage.mjs';

const base = given.url;
const demoState = async () => (await fetch(`${base}/demo/state`)).json();
const { node } = await demoState();
const hosts = [new URL(base).host, new URL(node.url).host];

await inChromium(async (person) => {
  const me = await person();
  const page = await me.open(base);
  const scene = (name) => page.locator(`[data-scene="${name}"]`);
  const press = async (name) => {
    await page.locator(`[data-scene="${name}"][aria-disabled="false"]`).click();
  };
  const anya = page.locator('[data-view="anya-1"].pane');
  const ben = page.locator('[data-view="ben-2"].pane');
  const told = page.locator('#happenings li');
  const tells = (text) => told.filter({ hasText: text }).first().waitFor();
  const ran = (tool) => page.locator(`#count-${tool}`).textContent();

  // At first sight: what it is about, and what to press.
  await page.getByText('until the person who asked for it says yes').waitFor();
  await page.getByText('The person who wrote the message, and nobody else in the channel').waitFor();
  await page.locator('#rule').getByText('{"tool":"refund","hint":"It moves real money."}').waitFor();
  await page.locator('[data-scene="ask"].next').waitFor();

  // 1. Anya asks; it is held, and said why and of whom.
  await press('ask');
  await tells('the operator’s rule names it. Anya wrote the message, so Anya is asked. The CRM has heard nothing.');
  await anya.getByText('Asked of Anya, who wrote the message: nobody else here can release it.').waitFor();
  await anya.getByText('The operator’s rule says: It moves real money.').waitFor();
  await ben.getByText('A chat shows Ben no buttons; here Ben may try.').waitFor();
  assert.equal(await ran('refund'), '0');

  // 2. Ben tries, by his own button in his own chat.
  await ben.locator('[data-does="allow"]').last().click();
  await ben.getByText('403 asked_of_another').waitFor();
  await tells('Ben is refused (403)');
  assert.equal(await ran('refund'), '0');
  await page.locator('[data-scene="anya"].next').waitFor();
  await until(async () => (await scene('anya').getAttribute('aria-disabled')) === 'false', 'the scenes');
  await checkForEverybody(page, 'the demo while a call is held');
  await page.setViewportSize({ width: 1280, height: 780 });
  await picture(page, 'demo-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'demo-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });

  // 3. Anya approves: once, and the reply comes to both.
  await press('anya');
  await tells('Anya allows it. The approval is used up as the call leaves: it runs once.');
  await ben.getByText('Refunded 450 € of order 42.').waitFor();
  assert.equal(await ran('refund'), '1');

  // The node is killed for real, and the same answer works on what comes back.
  await press('kill');
  await tells('The node is killed');
  await tells('The held call is a row in its store.');
  await press('anya');
  await tells('Nobody is there to take the answer.');
  const before = (await demoState()).node;
  assert.equal(before.running, false);
  await press('kill');
  await tells('The call is still held, and the same answer works.');
  const after = (await demoState()).node;
  assert.ok(after.running && after.pid !== node.pid);
  await press('anya');
  await ben.getByText('Refunded 20 €').or(ben.getByText('Order 42 has 0 €')).first().waitFor();

  // Anya leaves: she who was asked can't answer, until she is a member again.
  await press('leave');
  await anya.getByText('has left the channel').waitFor();
  await press('anya');
  await tells('Anya is refused (404)');
  await anya.getByRole('textbox', { name: 'Write as Anya' }).fill('Am I still here?');
  await page.keyboard.press('Enter');
  await anya.getByText('Who has left the channel').waitFor();
  assert.equal(await anya.getByRole('textbox', { name: 'Write as Anya' }).inputValue(), 'Am I still here?');
  await anya.getByRole('textbox', { name: 'Write as Anya' }).fill('');
  await press('leave');
  await tells('Anya is a member again.');
  await press('anya');
  await until(async () => (await page.locator('.card.held').count()) === 0, 'nothing to be held');

  // Two at once: one allowed, one declined with words, each by itself.
  await press('two');
  await until(async () => (await anya.locator('.card.held').count()) === 2, 'two held calls');
  await anya.locator('.card.held [data-does="allow"]').first().click();
  await until(async () => (await anya.locator('.card.held').count()) === 1, 'one held call');
  await anya.locator('.card.held input').fill('The lamp stays.');
  await anya.locator('.card.held [data-does="decline"]').click();
  await ben.getByText('Declined: The lamp stays.').waitFor();

  // Nobody answers: while its time runs, what a small screen shows.
  const killed = await told.filter({ hasText: 'is killed' }).count();
  await press('time');
  await tells('how long a call waits: 10 seconds');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'CRM', exact: true }).click();
  await page.locator('#crm-log li').first().waitFor();
  await checkForEverybody(page, 'the demo on a small screen');
  await page.setViewportSize({ width: 1280, height: 800 });
  await tells('Nobody answered in time: it expired.');

  // Another scene after it: its time is the operator's again, and nobody was killed for that.
  await press('ask');
  await tells('how long a call waits: 120 seconds');
  await until(async () => (await anya.locator('.card.held').count()) === 1, 'the next call');
  assert.equal(await told.filter({ hasText: 'is killed' }).count(), killed);
  await press('anya');
  await until(async () => (await page.locator('.card.held').count()) === 0, 'nothing to be held');

  // Ben writes by keyboard alone; a call that only reads asks nobody.
  await ben.locator('form input').focus();
  await page.keyboard.type('Look up order 43');
  await page.keyboard.press('Enter');
  await tells('crm__lookup ran at once: the operator’s rule does not name it');

  // From here to Anya's own inbox.
  const inbox = await me.open(await page.getByRole('link', { name: 'Anya’s' }).getAttribute('href'));
  await inbox.getByText('Nothing waits for you.').waitFor();

  // The node is killed while she changes a call there; it comes back, and what she typed counts.
  await press('ask');
  await anya.locator('.card.held').waitFor();
  await lookAgain(inbox);
  const call = inbox.locator('article.call');
  await call.getByRole('button', { name: 'Edit…' }).click();
  await call.getByLabel('amount').fill('5');
  await press('kill');
  await until(async () => (await demoState()).node.killed, 'the node to be gone');
  await lookAgain(inbox);
  await inbox.getByText('No connection to Writ.').waitFor();
  await press('kill');
  await until(async () => !(await demoState()).node.killed, 'the node');
  await lookAgain(inbox);
  await until(async () => !(await inbox.locator('#trouble').isVisible()), 'the connection');
  await call.getByRole('button', { name: 'Approve with changes' }).click();
  await call.getByText('You approved it').waitFor();
}, { hosts });
