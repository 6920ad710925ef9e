import { expect } from '@playwright/test';
import type { AddressesInput } from '../../../../machines/model/reading/reading.ts';
import type { addressesMachine } from '../../../../machines/reading/addresses.ts';
import { getRenewalDelayMs } from '../../../../src/flows/viewer/renewal.ts';
import { hasLeft } from '../../in-shop.ts';
import type { Headings, Port, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { problems, toRejectionCases } from '../../../../machines/path-models/path-model.ts';
import {
  viewerStart,
  limitMediaUrlLifetime,
  changeModels,
  buyCopy,
  readPlayerState,
  readRecordedState,
} from './adapter-helpers.ts';
import { pauseClock } from '../../../browser/clock.ts';

const noHeadings: Headings<typeof addressesMachine> = { fresh: null, renewing: null, stale: null, awaited: null, refused: null };

/** Lifetime of media URLs, below the half hour that a trace of the page covers. */
const URL_LIFETIME_S = 600;

const componentsPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/viewer/components'),
  toResponse: () => toJsonResponse({}),
  serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
};

const isRecordingCall = ({ pathname }: URL): boolean => /^\/media\/.*\.mp3$/.test(pathname);

/** Makes the recording's URLs expire, and requests one: by a retry, or by another part. */
const expireRecording = async ({ page, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('expired media URLs');
  const json = { error: 'This address has expired.', status: 403, code: 'media_denied' };
  await page.route(isRecordingCall, (route) => route.fulfill({ status: 403, json }));
  // The trace contains a failure at once, the screen shows it a moment later.
  if ((await readPlayerState(page)) === 'failed') await page.locator('[data-event="retry.pressed"]').click();
  else await page.locator('[data-event="item.chosen"]:not([aria-current="true"])').last().click();
  await expect.poll(() => readRecordedState(page, 'addresses')).toBe('awaited');
  await page.unroute(isRecordingCall);
};

const renewIn = getRenewalDelayMs([URL_LIFETIME_S]);

const createRenewalCases = (port: string) => ({
  [`xstate.done.actor.${port}`]: [{ output: { items: [], renewIn } }],
  [`xstate.error.actor.${port}`]: toRejectionCases(problems.declined, problems.notOwned, problems.notFound),
});

/**
 * Renewal of a recording's media URLs. The machine has no screen: its state is read from its
 * requests and the page's trace.
 */
export const adapter: BrowserAdapter = {
  ...viewerStart,
  name: 'addresses',
  models: changeModels('addresses', ({ input, cases }) => ({
    input: { ...(input as AddressesInput), renewIn },
    cases: { ...cases, ...createRenewalCases('renewAddresses'), ...createRenewalCases('renewNow') },
  })),
  headings: noHeadings,
  prepare: async (walk) => {
    await limitMediaUrlLifetime(walk, URL_LIFETIME_S);
    return buyCopy(walk, 'audio');
  },
  openScreen: async (walk) => {
    await walk.settle({ type: 'xstate.done.actor.renewNow' });
    await expect(walk.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    walk.hold('renewNow');
    // The recorder is loaded on the first user activity.
    await walk.page.keyboard.press('Shift');
    await expect.poll(() => readRecordedState(walk.page, 'addresses')).toBe('fresh');
    await pauseClock(walk);
  },
  getReaction: () => null,
  checkState: async (walk, snapshot) => {
    const player = walk.page.locator('[data-flow="tracks"]');
    if (hasLeft(snapshot)) return expect(player).toHaveCount(0);
    const { value } = snapshot;
    await expect.poll(() => readRecordedState(walk.page, 'addresses')).toBe(value);
    await expect.poll(() => walk.countHeldRequests('renewNow') > 0).toBe(value === 'renewing' || value === 'awaited');
  },
  ports: { renewAddresses: componentsPort, renewNow: componentsPort },
  causes: { 'addresses.expired': expireRecording },
};
