import { onTestFinished } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { stateHash } from '../../../src/ssr/idle.ts';
import { queueEarlyPresses } from '../../../src/ssr/early/presses.ts';
import type { AppActor } from '../../../src/views/app-actor.ts';

/** Runs something while the page's own script queues early presses, until the test ends. */
export const queueEarlyEvents = (act: () => void): void => {
  const early = queueEarlyPresses();
  window.earlyPresses = early;
  onTestFinished(() => {
    early.stop();
    delete window.earlyPresses;
  });
  act();
};

/**
 * A server-rendered page, and a shop that has just become idle without a screen: its store cannot
 * be reached.
 */
export const rendered = (says: string) => {
  const root = document.createElement('div');
  root.innerHTML = '<main>Titles</main>';
  document.head.innerHTML = '<title>Of the server</title>';
  document.body.replaceChildren(root);
  const app = createActor(createMachine({})).start() as unknown as AppActor;
  const order: string[] = [];
  const time = { hold: () => void order.push('hold'), resume: () => void order.push(`let go at “${root.textContent}”`) };
  const taking = {
    root,
    app,
    client: { calls: () => null },
    shop: <main>{says}</main>,
    time,
    resolveHydrated: () => void order.push('whole'),
  };
  return { root, order, taking, key: stateHash(app) };
};
