import { onTestFinished, vi } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { FIRST_SCRIPT } from '../../../server/web/page-parts.ts';
import { screenKey } from '../../../src/painting/at-rest.ts';
import type { AppActor } from '../../../src/views/app-actor.ts';

/** Does something while the page's own script keeps what is pressed, until the test ends. */
export const keepEarly = (act: () => void): void => {
  type Kept = { presses: [HTMLElement, unknown][]; keeping: AbortController };
  // oxlint-disable-next-line typescript/no-implied-eval -- as the page runs it
  const run = new Function(`let presses,keeping,keepPress;${FIRST_SCRIPT};return{presses,keeping}`) as () => Kept;
  const { presses, keeping } = run();
  vi.stubGlobal('presses', presses);
  vi.stubGlobal('keeping', keeping);
  onTestFinished(() => {
    keeping.abort();
    vi.unstubAllGlobals();
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
