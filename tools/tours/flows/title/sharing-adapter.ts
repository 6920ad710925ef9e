import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { SharedTitle, sharingMachine, SharingOptions } from '../../../../machines/browsing/sharing.ts';
import { models } from '../../../../machines/path-models/flows/title/paths.ts';
import { getNextSettlement } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';

const noHeadings: Headings<typeof sharingMachine> = { looking: null, ready: null, sharing: null, copying: null };

const requests = { share: '/told/share', copy: '/told/copy' };

/**
 * Sharing a title. Share sheet and clipboard are native, so a test cannot press them: stubs wait
 * for an answer instead.
 */
export const adapter: BrowserAdapter = {
  name: 'sharing',
  models: models.filter(({ name }) => name === 'sharing'),
  address: ({ titleId }: SharedTitle) => `/id:${titleId}`,
  prepares: async (world) => {
    world.injected('the browser’s APIs to share and to copy');
    const { sharesHere } = (getNextSettlement(world, 'ways')?.['output'] ?? {}) as Partial<SharingOptions>;
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
  headings: noHeadings,
  shows: async ({ flow }, { value }) => {
    // The browser's capabilities are known before the state can be observed.
    if (value !== 'looking') await expect(flow).toHaveAttribute('data-state', JSON.stringify(value));
  },
  comesByItself: ({ type }: AnyEventObject) => type === 'xstate.done.actor.ways',
  ports: {
    share: { asks: ({ pathname }) => pathname === requests.share, answer: () => json(null) },
    copy: { asks: ({ pathname }) => pathname === requests.copy, answer: () => json(null) },
  },
};
