// The words for what becomes of a call, and for times.

// outcome or status: [what is said, good | bad | held | none]
const WORDS = {
  awaiting_approval: ['Waits', 'held'],
  pending: ['Waits', 'held'],
  running: ['Running', ''],
  done: ['Done', 'good'],
  approved: ['Approved', 'good'],
  declined: ['Declined', ''],
  denied: ['Declined', ''],
  expired: ['Expired', ''],
  cancelled: ['Cancelled', ''],
  refused: ['Refused', 'bad'],
  failed: ['Failed', 'bad'],
  outcome_unknown: ['Outcome unknown', 'bad'],
};

export const wordOf = (name) => (WORDS[name] ? WORDS[name][0] : name);
export const toneOf = (name) => (WORDS[name] ? WORDS[name][1] : '');

// `4:05`, `1 h 20 min`; '' at and after the end.
export function timeLeft(until, now) {
  const seconds = Math.ceil((until - now) / 1000);
  if (!(seconds > 0)) return '';
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 48) return `${hours} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(hours / 24)} days`;
}

export function timeAgo(then, now) {
  const minutes = Math.floor((now - then) / 60000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(then).toLocaleDateString();
}

export const clockTime = (time) => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
