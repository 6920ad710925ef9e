import { keepEarlyPresses } from './presses.ts';

/** Runs in the head of a server-rendered page, before the screen is parsed. */

try {
  // A customer who is signed in is not offered the sign-in: index.html hides it.
  if (localStorage['id_token'] || sessionStorage['id_token']) document.documentElement.dataset['known'] = '';
} catch {
  // A browser that gives no storage keeps no session.
}

window.earlyPresses = keepEarlyPresses();
