import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { SharedTitle, sharingMachine, SharingOptions } from '../../../../machines/browsing/sharing.ts';
import { models } from '../../../../machines/path-models/flows/title/paths.ts';
import { getNextSettlement } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';

const noHeadings: Headings<typeof sharingMachine> = { looking: null, ready: null, sharing: null, copying: null };

/** Paths that the stubs of the native functions request. */
const stubPaths = { share: '/stub/share', copy: '/stub/copy' };

/**
 * Sharing a title. Share sheet and clipboard are native, so a walk cannot press them: stubs send a
 * request instead and wait for its response.
 */
export const adapter: BrowserAdapter = {
  name: 'sharing',
  models: models.filter(({ name }) => name === 'sharing'),
  getStartPath: ({ titleId }: SharedTitle) => `/id:${titleId}`,
  prepare: async (walk) => {
    walk.recordInjection('the browser’s APIs to share and to copy');
    const { sharesHere } = (getNextSettlement(walk, 'ways')?.['output'] ?? {}) as Partial<SharingOptions>;
    await walk.page.addInitScript(
      ({ share, copy, canShare }) => {
        const sendRequest = async (path: string): Promise<void> => void (await fetch(path));
        Object.defineProperty(navigator, 'share', { value: canShare ? () => sendRequest(share) : undefined });
        Object.defineProperty(navigator.clipboard, 'writeText', { value: () => sendRequest(copy) });
      },
      { ...stubPaths, canShare: sharesHere === true },
    );
    return undefined;
  },
  headings: noHeadings,
  checkState: async ({ flow }, { value }) => {
    // The browser's capabilities are known before the state can be observed.
    if (value !== 'looking') await expect(flow).toHaveAttribute('data-state', JSON.stringify(value));
  },
  settlesByItself: ({ type }: AnyEventObject) => type === 'xstate.done.actor.ways',
  ports: {
    share: { matches: ({ pathname }) => pathname === stubPaths.share, toResponse: () => toJsonResponse(null) },
    copy: { matches: ({ pathname }) => pathname === stubPaths.copy, toResponse: () => toJsonResponse(null) },
  },
};
