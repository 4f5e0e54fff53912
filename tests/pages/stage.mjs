// What the stories in Chromium share. Each runs as `node STORY.mjs '{"…": …}'` and ends with 0 where
// all of it held.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const parts = createRequire(join(process.cwd(), 'tests/node/package.json'));
const { chromium } = parts('playwright-core');
const axeSource = readFileSync(parts.resolve('axe-core/axe.min.js'), 'utf8');

export const given = JSON.parse(process.argv[2] || '{}');
const WAIT_MS = 60000; // nobody waits so long for what comes, on a machine that has time

// Whoever tells the stage behind the pages (the test that started us) to do something.
export async function ask(what, body = {}) {
  const response = await fetch(`${given.control}/${what}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(response.status, 200, `${what}: ${await response.clone().text()}`);
  return response.json();
}

export async function until(holds, what) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) assert.fail(`waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

// A person at a browser of their own. What a page must never do ends the story: an error, something
// that the policy refused, a request to somewhere else, a dialog.
export class Person {
  constructor(context, allowed) {
    this.context = context;
    this.allowed = allowed;
    this.troubles = [];
  }

  async open(url) {
    const page = await this.context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => this.troubles.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.troubles.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('console', (message) => {
      // A refused answer is logged by the browser as a failed load: that is what the story is about.
      const isLoad = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isLoad) this.troubles.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== 'data:' && !this.allowed.includes(host)) this.troubles.push(`request to ${request.url()}`);
    });
    await page.goto(url);
    return page;
  }
}

export async function inChromium(story, { hosts }) {
  const browser = await chromium.launch({
    executablePath: given.chromium || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  const people = [];
  const person = async (options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', locale: 'en-GB', ...options });
    const one = new Person(context, hosts);
    people.push(one);
    return one;
  };
  try {
    await story(person);
    assert.deepEqual(people.flatMap((one) => one.troubles), [], 'what no page may do');
  } finally {
    await browser.close();
  }
}

// Has an inbox look at once, as it does when the network is back: a story need not wait for the
// next look by itself.
export const lookAgain = (page) => page.evaluate(() => window.dispatchEvent(new Event('online')));

async function checkWidth(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${name} stands out by ${wide} px`);
}

// Nothing serious for people who see or work otherwise, wide and, in both themes, at 360 px, where
// nothing may stand out at the side.
export async function checkForEverybody(page, name) {
  const before = page.viewportSize();
  for (const [width, themes] of [[before.width, ['light']], [360, ['dark', 'light']]]) {
    await page.setViewportSize({ width, height: before.height });
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axeSource);
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const serious = found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      const words = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`);
      assert.deepEqual(words, [], `${name}, ${colorScheme}, ${width} px`);
    }
    await checkWidth(page, `${name} at ${width} px`);
  }
  // Whoever has set letters twice as large.
  await page.setViewportSize({ width: 720, height: before.height });
  await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
  await checkWidth(page, `${name} with large letters`);
  await page.evaluate(() => { document.documentElement.style.fontSize = ''; });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}

// A picture for the docs of a page or a part of it, where the run was told to make them.
export async function picture(what, name) {
  if (!given.pictures) return;
  mkdirSync(given.pictures, { recursive: true });
  writeFileSync(join(given.pictures, `${name}.png`), await what.screenshot({ animations: 'disabled' }));
}

// Where the keyboard is: the words of the element.
export const focusedText = (page) => page.evaluate(() => document.activeElement.textContent || document.activeElement.getAttribute('aria-label') || document.activeElement.tagName);

export { assert };
