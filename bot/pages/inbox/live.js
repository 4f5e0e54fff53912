// Looking again and again: soon after what came, more rarely while nothing answers, not at all in a
// tab that nobody sees, and at once when it is seen or the network is back.
const SOON_MS = 2500;
const HURRY_MS = 400;
const LONGEST_MS = 30000;

export class Live {
  // `look()` returns whether the server answered; `hurries()` whether something changes just now.
  constructor(look, hurries) {
    this.look = look;
    this.hurries = hurries;
    this.failures = 0;
    this.timer = 0;
    this.looking = null;
    this.stopped = true;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.now();
    });
    window.addEventListener('online', () => this.now());
    window.addEventListener('pageshow', () => this.now()); // back from elsewhere
  }

  start() {
    this.stopped = false;
    return this.now();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  // A look that is under way may have been asked before what it should show: another follows it.
  async now() {
    if (this.stopped) return;
    clearTimeout(this.timer);
    if (this.looking) {
      this.again = true;
      await this.looking;
      return;
    }
    this.looking = this.once();
    await this.looking;
    this.looking = null;
    if (this.again) {
      this.again = false;
      await this.now();
    }
  }

  async once() {
    let answered = false;
    try {
      answered = await this.look();
    } catch (fault) {
      console.error(fault); // a fault of this page's own must not end the looking
    }
    this.failures = answered ? 0 : this.failures + 1;
    if (this.stopped || document.hidden) return;
    const soon = this.hurries() ? HURRY_MS : SOON_MS;
    const wait = answered ? soon : Math.min(LONGEST_MS, 1000 * 2 ** Math.min(this.failures - 1, 5));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), wait * (0.8 + Math.random() * 0.4));
  }
}
