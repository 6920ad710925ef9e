import { onTestFinished } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { stateHash } from '../../../src/ssr/idle.ts';
import { queueEarlyPresses } from '../../../src/ssr/early/presses.ts';
import type { AppActor } from '../../../src/views/app-actor.ts';

/** Starts the queue of early presses, until the test ends, and runs `pressEarly`. */
export const queueEarlyEvents = (pressEarly: () => void): void => {
  const queue = queueEarlyPresses();
  window.earlyPresses = queue;
  onTestFinished(() => {
    queue.stop();
    delete window.earlyPresses;
  });
  pressEarly();
};

/**
 * A server-rendered page, and the options to hydrate it by a shop that has just become idle, whose
 * screen shows `text`. `order` records when time is held, continues, and when hydration is
 * complete.
 */
export const createRenderedPage = (text: string) => {
  const root = document.createElement('div');
  root.innerHTML = '<main>Titles</main>';
  document.head.innerHTML = '<title>Of the server</title>';
  document.body.replaceChildren(root);
  const app = createActor(createMachine({})).start() as unknown as AppActor;
  const order: string[] = [];
  const time = { hold: () => void order.push('hold'), resume: () => void order.push(`let go at “${root.textContent}”`) };
  const options = {
    root,
    app,
    client: { calls: () => null },
    shop: <main>{text}</main>,
    time,
    resolveHydrated: () => void order.push('whole'),
  };
  return { root, order, options, key: stateHash(app) };
};
