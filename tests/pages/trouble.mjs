// What goes wrong around an inbox is told as what it is, and takes nothing from whoever is at work.
import { ask, assert, given, inChromium, lookAgain, until } from './stage.mjs';

const { url, anya } = given;
const inboxOf = (token) => `${url}/inbox#token=${encodeURIComponent(token)}`;
const problem = (status, code, more = {}) => ({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, code, title: `the title of ${code}`, detail: `the detail of ${code}`, ...more }) });

await inChromium(async (person) => {
  // ---- what no token is, and what no token is any more ----
  const she = await person();
  const page = await she.open(`${url}/inbox`);
  const tryToken = async (token, words) => {
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.locator('#sign-in-fault').getByText(words).waitFor();
    assert.ok(!(await page.locator('#trouble').isVisible()), 'that is no trouble with the connection');
  };
  await tryToken('ключ ✓', 'That is no token');
  await tryToken('x'.repeat(20000), 'That is no token');
  await tryToken('a.b', 'That token is not good here.');
  await tryToken(given.expired, 'Your sign-in has expired.');
  await tryToken(given.nobody, 'not good here');

  // ---- a tab that remembers what nobody can read ----
  for (const odd of ['{', '"text"', '[]', '{"token":7,"key":null}', 'null']) {
    await page.evaluate((text) => { sessionStorage.setItem('writ.inbox', text); sessionStorage.setItem('writ.inbox.link', text); }, odd);
    await page.goto(`${url}/inbox?approval=apr_none`);
    await page.getByText('Whose inbox?').waitFor();
  }

  // ---- an address that is put into an open tab signs in ----
  await page.evaluate((token) => { location.hash = `token=${encodeURIComponent(token)}`; }, anya);
  await page.getByText('Nothing waits for you.').waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // "To the calls" is no address of ours
  assert.ok(await page.getByText('Nothing waits for you.').isVisible());

  // ---- each trouble by its name, and gone when it is over ----
  await ask('say', { text: '!crm__echo {"message":"in trouble"}', held: true });
  await lookAgain(page);
  const call = page.locator('article.call').filter({ hasText: 'in trouble' });
  await call.getByRole('button', { name: 'Edit…' }).click();
  await call.getByLabel('message').fill('in trouble, half writ');
  for (const [answer, words] of [
    [problem(422, 'invalid_request', { errors: [{ pointer: '?cid', detail: 'is odd' }] }), 'Writ refuses to show this (422): cid is odd.'],
    [problem(429, 'overloaded'), 'Writ refuses to show this (429): the detail of overloaded.'],
    [problem(500, 'internal_error'), 'Something is wrong in Writ itself (500)'],
    [problem(503, 'store_unavailable'), 'Writ is there, but can’t look right now: the title of store_unavailable.'],
    [{ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, 'Something other than Writ answers at this address (502)'],
    [{ status: 200, contentType: 'text/html', body: '<h1>Please pay</h1>' }, 'Something other than Writ answers at this address (200)'],
    [null, 'No connection to Writ.'],
  ]) {
    await page.route('**/v1/inbox*', (route) => (answer ? route.fulfill(answer) : route.abort('connectionrefused')));
    await lookAgain(page);
    await page.locator('#trouble').getByText(words).waitFor();
    await page.unroute('**/v1/inbox*');
    await lookAgain(page);
    await until(async () => !(await page.locator('#trouble').isVisible()), `the end of “${words}”`);
  }

  // ---- the sign-in ends while somebody types; the same person finds their words again ----
  await page.route('**/v1/inbox*', (route) => route.fulfill(problem(401, 'token_expired')));
  await lookAgain(page);
  await page.getByText('Your sign-in has expired.').waitFor();
  assert.ok(!(await call.isVisible()));
  await page.unroute('**/v1/inbox*');
  await page.getByLabel('Token').fill(anya);
  await page.keyboard.press('Enter');
  assert.equal(await call.getByLabel('message').inputValue(), 'in trouble, half writ');
  await page.route('**/v1/inbox*', (route) => route.fulfill(problem(401, 'token_expired')));
  await lookAgain(page);
  await page.getByText('Your sign-in has expired.').waitFor();
  await page.unroute('**/v1/inbox*');
  await page.getByLabel('Token').fill(given.ben);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for you.').waitFor();
  assert.equal(await page.locator('article.call').count(), 0);

  // ---- away and back again ----
  await page.goto(`${url}/healthz`);
  await page.goBack();
  await page.getByText('of ben-2').waitFor();

  // ---- a clock that is wrong by hours: the server's counts ----
  for (const hours of [-5, 5]) {
    const late = await person();
    await late.context.addInitScript((ahead) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + ahead * 3600000;
    }, hours);
    const other = await late.open(inboxOf(anya));
    const held = other.locator('article.call').filter({ hasText: 'in trouble' });
    await held.locator('header .state', { hasText: /^\d:\d\d left$/ }).waitFor();
    assert.ok(await held.getByRole('button', { name: 'Approve' }).isEnabled());
  }

  // ---- the keyboard alone: from the address to the outcome ----
  const they = await person();
  const keys = await they.open(inboxOf(anya));
  await keys.locator('article.call').waitFor();
  const focused = () => keys.evaluate(() => document.activeElement.textContent);
  for (let i = 0; (await focused()) !== 'Approve'; i += 1) {
    assert.ok(i < 20, `the button is reached by Tab, not ${await focused()}`);
    await keys.keyboard.press('Tab');
  }
  await keys.keyboard.press('Enter');
  await keys.getByText('You approved it').waitFor();
  await until(() => keys.evaluate(() => document.activeElement.classList.contains('result')), 'the outcome to be where the keyboard is');
  await keys.locator('.result strong', { hasText: 'Done' }).waitFor();
}, { hosts: [new URL(url).host] });
