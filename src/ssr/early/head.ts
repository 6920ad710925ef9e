import { queueEarlyPresses } from './presses.ts';

/** Runs in the head of a server-rendered page, before the screen is parsed. */

try {
  // Hides the sign-in link for a signed-in customer, by a rule in index.html.
  if (localStorage['id_token'] || sessionStorage['id_token']) document.documentElement.dataset['known'] = '';
} catch {
  // A browser that denies storage has no session.
}

window.earlyPresses = queueEarlyPresses();
