import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { Shared, sharingMachine, Ways } from '../../../../machines/browsing/sharing.ts';
import { models } from '../../../../machines/path-models/flows/title/paths.ts';
import { nextOf } from '../../causes.ts';
import type { Headings, Stage } from '../../stage.ts';
import { json } from '../../wires.ts';

const unheaded: Headings<typeof sharingMachine> = { looking: null, ready: null, sharing: null, copying: null };

const requests = { share: '/told/share', copy: '/told/copy' };

/** Sharing a title. Sheet and clipboard are the browser's, which a test cannot press: here each asks for an answer instead. */
export const stage: Stage = {
  name: 'sharing',
  models: models.filter(({ name }) => name === 'sharing'),
  address: ({ titleId }: Shared) => `/id:${titleId}`,
  prepares: async (world) => {
    world.injected('the browser’s ways to share and to copy');
    const { sharesHere } = (nextOf(world, 'ways')?.['output'] ?? {}) as Partial<Ways>;
    await world.page.addInitScript(
      ({ share, copy, canShare }) => {
        const told = async (path: string): Promise<void> => void (await fetch(path));
        Object.defineProperty(navigator, 'share', { value: canShare ? () => told(share) : undefined });
        Object.defineProperty(navigator.clipboard, 'writeText', { value: () => told(copy) });
      },
      { ...requests, canShare: sharesHere === true },
    );
    return undefined;
  },
  headings: unheaded,
  shows: async ({ flow }, { value }) => {
    // The browser knows its own ways before anybody could look.
    if (value !== 'looking') await expect(flow).toHaveAttribute('data-state', JSON.stringify(value));
  },
  comesByItself: ({ type }: AnyEventObject) => type === 'xstate.done.actor.ways',
  ports: {
    share: { asks: ({ pathname }) => pathname === requests.share, answer: () => json(null) },
    copy: { asks: ({ pathname }) => pathname === requests.copy, answer: () => json(null) },
  },
};
