// An operator's inbox: all of an app's calls, and a call's way through the decision log.
import { ask, assert, checkForEverybody, given, inChromium, picture, until } from './stage.mjs';

const { url, operator } = given;

await inChromium(async (person) => {
  const me = await person();
  for (const [user, word, cid] of [['anya-1', 'apples', 'callouts:team-1'], ['ben-2', 'pears', 'callouts:team-2'], ['anya-1', 'plums', 'callouts:team-2']]) {
    await ask('say', { user, cid, text: `!crm__echo {"message":"${word}"}`, held: true });
  }
  const page = await me.open(`${url}/inbox#token=${encodeURIComponent(operator)}`);
  const calls = page.locator('article.call');
  const count = (number) => until(async () => (await calls.count()) === number, `${number} calls`);
  await count(3);
  await page.getByText('3 calls, 3 waiting').waitFor();
  await calls.filter({ hasText: 'pears' }).getByText('Asked of Ben (ben-2), who wrote the message').waitFor();
  await checkForEverybody(page, 'an operator’s inbox');

  // Filters and the search.
  await page.getByLabel('Person').fill('ben-2');
  await count(1);
  await page.getByLabel('Person').fill('');
  await page.getByLabel('Channel').fill('callouts:team-2');
  await count(2);
  await page.getByLabel('Channel').fill('');
  await page.getByLabel('Search').fill('APPL');
  await count(1);
  await page.getByLabel('Tool').fill('refund');
  await page.getByText('No call is like that.').waitFor();
  await page.getByLabel('Tool').fill('ech');
  await count(1);
  await page.getByLabel('Search').fill('');
  await count(3);

  // What somebody is at work on stays, with what they typed, whatever is looked for meanwhile.
  const apples = calls.filter({ hasText: 'apples' });
  await apples.getByRole('button', { name: 'Edit…' }).click();
  await apples.getByLabel('message').fill('apples, and a few');
  const typed = calls.filter({ hasText: 'plums' });
  await typed.getByRole('button', { name: 'Decline…' }).click();
  await typed.getByLabel('Why?').fill('Out of');
  await page.getByLabel('Search').fill('pears');
  await until(async () => (await page.locator('#summary').textContent()) === '3 calls, 3 waiting', 'the search');
  await page.getByLabel('Search').fill('nothing like it');
  await count(2);
  assert.equal(await apples.getByLabel('message').inputValue(), 'apples, and a few');
  assert.equal(await typed.getByLabel('Why?').inputValue(), 'Out of');
  await page.getByLabel('Search').fill('');
  await count(3);
  assert.equal(await apples.getByLabel('message').inputValue(), 'apples, and a few');
  await apples.getByRole('button', { name: 'Discard changes' }).click();
  await typed.getByRole('button', { name: 'Back' }).click();

  // Decides, as the backend, known by their token.
  const pears = calls.filter({ hasText: 'pears' });
  await pears.getByRole('button', { name: 'Approve' }).click();
  await pears.getByText('The app’s backend approved it').waitFor();
  await pears.locator('.result strong', { hasText: 'Done' }).waitFor();
  const plums = calls.filter({ hasText: 'plums' });
  await plums.getByRole('button', { name: 'Decline…' }).click();
  await plums.getByLabel('Why?').fill('Out of season.');
  await plums.getByRole('button', { name: 'Decline', exact: true }).click();
  await plums.getByText('The app’s backend declined it: Out of season.').waitFor();

  // The trail: asked, decided and by whom, used up, finished.
  await pears.getByRole('button', { name: 'Audit trail' }).click();
  const trail = pears.locator('.trail li');
  await trail.filter({ hasText: 'The call ended: Done' }).waitFor();
  const words = await trail.allInnerTexts();
  assert.equal(words.length, 4, words.join('\n'));
  assert.match(words[0], /Asked of ben-2, who wrote the message/);
  assert.match(words[1], /backend approved it[^]*an operator’s token/);
  assert.match(words[2], /used up/);
  assert.match(words[3], /The call ended: Done/);
  await checkForEverybody(page, 'the audit trail');
  await pears.scrollIntoViewIfNeeded();
  await picture(page, 'inbox-operator');
  await pears.getByRole('button', { name: 'Hide the trail' }).click();
  await pears.locator('.trail').waitFor({ state: 'detached' });

  // What is over is found by its status, older ones by a page.
  await page.getByLabel('Status').selectOption('denied');
  await count(1);
  await page.getByText('plums').first().waitFor();
  await page.getByLabel('Status').selectOption('');
  await ask('many', { count: 55 });
  await page.reload();
  await page.getByLabel('Status').selectOption('');
  await page.getByRole('button', { name: 'Older ones' }).click();
  await count(58);

  // It was decided meanwhile.
  await page.getByLabel('Search').fill('apples');
  await count(1);
  await page.route('**/decision', async (route) => {
    await ask('answer', { word: 'apples', allowed: true });
    await route.continue();
  });
  await calls.getByRole('button', { name: 'Approve' }).click();
  await calls.getByText('It was settled before your answer came.').waitFor();
  await calls.getByText('anya-1 approved it').waitFor();
}, { hosts: [new URL(url).host] });
