import { expect } from '@playwright/test';
import type { AddressesInput } from '../../../../machines/model/reading/reading.ts';
import type { addressesMachine } from '../../../../machines/reading/addresses.ts';
import { getRenewalDelayMs } from '../../../../src/flows/viewer/renewal.ts';
import { hasLeft } from '../../in-shop.ts';
import type { Headings, Port, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { pauseClock } from '../../causes.ts';
import { json } from '../../wires.ts';
import { problems, toRejectionCases } from '../../../../machines/path-models/path-model.ts';
import { inViewer, limitAddresses, changeModels, buyCopy, readPlayerState, readRecordedState } from './adapter-helpers.ts';

const noHeadings: Headings<typeof addressesMachine> = { fresh: null, renewing: null, stale: null, awaited: null, refused: null };

/** Lifetime of media URLs in seconds, below the half hour that a record of the page covers. */
const LIFETIME_S = 600;

const componentsPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/viewer/components'),
  answer: () => json({}),
  serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
};

const isRecording = ({ pathname }: URL): boolean => /^\/media\/.*\.mp3$/.test(pathname);

/** Selects another part, or retries the recording, after its URL has expired. */
const expireAddresses = async ({ page, injected }: WalkContext): Promise<void> => {
  injected('expired media URLs');
  const json = { error: 'This address has expired.', status: 403, code: 'media_denied' };
  await page.route(isRecording, (route) => route.fulfill({ status: 403, json }));
  // The record contains a failure at once, the screen a moment later.
  if ((await readPlayerState(page)) === 'failed') await page.locator('[data-event="retry.pressed"]').click();
  else await page.locator('[data-event="item.chosen"]:not([aria-current="true"])').last().click();
  await expect.poll(() => readRecordedState(page, 'addresses')).toBe('awaited');
  await page.unroute(isRecording);
};

const renewIn = getRenewalDelayMs([LIFETIME_S]);

const createRenewalCases = (port: string) => ({
  [`xstate.done.actor.${port}`]: [{ output: { items: [], renewIn } }],
  [`xstate.error.actor.${port}`]: toRejectionCases(problems.declined, problems.notOwned, problems.notFound),
});

/**
 * Renewal of a recording's media URLs. It has no screen: its requests and the page's own record
 * show it.
 */
export const adapter: BrowserAdapter = {
  ...inViewer,
  name: 'addresses',
  models: changeModels('addresses', ({ input, cases }) => ({
    input: { ...(input as AddressesInput), renewIn },
    cases: { ...cases, ...createRenewalCases('renewAddresses'), ...createRenewalCases('renewNow') },
  })),
  headings: noHeadings,
  prepares: async (world) => {
    await limitAddresses(world, LIFETIME_S);
    return buyCopy(world, 'audio');
  },
  arrives: async (world) => {
    await world.settle({ type: 'xstate.done.actor.renewNow' });
    await expect(world.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    world.hold('renewNow');
    // The recorder is loaded on the first user activity.
    await world.page.keyboard.press('Shift');
    await expect.poll(() => readRecordedState(world.page, 'addresses')).toBe('fresh');
    await pauseClock(world);
  },
  reacts: () => null,
  shows: async (world, snapshot) => {
    const player = world.page.locator('[data-flow="tracks"]');
    if (hasLeft(snapshot)) return expect(player).toHaveCount(0);
    const { value } = snapshot;
    await expect.poll(() => readRecordedState(world.page, 'addresses')).toBe(value);
    await expect.poll(() => world.waiting('renewNow') > 0).toBe(value === 'renewing' || value === 'awaited');
  },
  ports: { renewAddresses: componentsPort, renewNow: componentsPort },
  causes: { 'addresses.expired': expireAddresses },
};
