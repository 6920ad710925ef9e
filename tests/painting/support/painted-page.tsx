import { onTestFinished } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { screenKey } from '../../../src/painting/at-rest.ts';
import { keepEarlyPresses } from '../../../src/painting/early/presses.ts';
import type { AppActor } from '../../../src/views/app-actor.ts';

/** Does something while the page's own script keeps what is pressed, until the test ends. */
export const keepEarly = (act: () => void): void => {
  const early = keepEarlyPresses();
  window.earlyPresses = early;
  onTestFinished(() => {
    early.stop();
    delete window.earlyPresses;
  });
  act();
};

/** A painted page, and a shop whose program has just come to rest at no screen: its store cannot be reached. */
export const painted = (says: string) => {
  const root = document.createElement('div');
  root.innerHTML = '<main>Titles</main>';
  document.head.innerHTML = '<title>Of the server</title>';
  document.body.replaceChildren(root);
  const app = createActor(createMachine({})).start() as unknown as AppActor;
  const order: string[] = [];
  const time = { hold: () => void order.push('hold'), letGo: () => void order.push(`let go at “${root.textContent}”`) };
  const taking = {
    root,
    app,
    client: { calls: () => null },
    shop: <main>{says}</main>,
    time,
    tellThatItIsHydrated: () => void order.push('whole'),
  };
  return { root, order, taking, key: screenKey(app) };
};
