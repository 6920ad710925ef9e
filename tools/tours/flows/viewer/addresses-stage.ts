import { expect } from '@playwright/test';
import type { AddressesInput } from '../../../../machines/model/reading/reading.ts';
import type { addressesMachine } from '../../../../machines/reading/addresses.ts';
import { renewalAfter } from '../../../../src/flows/viewer/renewal.ts';
import { hasLeft } from '../../in-shop.ts';
import type { Headings, Port, Stage, World } from '../../stage.ts';
import { stopTime } from '../../causes.ts';
import { json } from '../../wires.ts';
import { problems, rejections } from '../../../../machines/path-models/path-model.ts';
import { inViewer, limitAddresses, modelsOf, ownCopy, playerState, recordedState } from './stage-helpers.ts';

const unheaded: Headings<typeof addressesMachine> = { fresh: null, renewing: null, stale: null, awaited: null, refused: null };

/** Of addresses, in seconds: a record of the page holds what happened in the last half hour. */
const LIFETIME_S = 600;

const componentsPort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/viewer/components'),
  answer: () => json({}),
  serverGives: ({ type }) => type.startsWith('xstate.done.'),
};

const isRecording = ({ pathname }: URL): boolean => /^\/media\/.*\.mp3$/.test(pathname);

/** Another part is chosen, or the recording is tried again, and its address has expired. */
const expire = async ({ page, injected }: World): Promise<void> => {
  injected('addresses that have expired');
  const json = { error: 'This address has expired.', status: 403, code: 'media_denied' };
  await page.route(isRecording, (route) => route.fulfill({ status: 403, json }));
  // The record knows of a failure at once, the screen a moment later.
  if ((await playerState(page)) === 'failed') await page.locator('[data-event="retry.pressed"]').click();
  else await page.locator('[data-event="item.chosen"]:not([aria-current="true"])').last().click();
  await expect.poll(() => recordedState(page, 'addresses')).toBe('awaited');
  await page.unroute(isRecording);
};

const renewIn = renewalAfter([LIFETIME_S]);

const renewedBy = (port: string) => ({
  [`xstate.done.actor.${port}`]: [{ output: { items: [], renewIn } }],
  [`xstate.error.actor.${port}`]: rejections(problems.declined, problems.notOwned, problems.notFound),
});

/** Renewing the addresses of a recording. It has no screen: what it asks of the server tells, and the page's own record. */
export const stage: Stage = {
  ...inViewer,
  name: 'addresses',
  models: modelsOf('addresses', ({ input, cases }) => ({
    input: { ...(input as AddressesInput), renewIn },
    cases: { ...cases, ...renewedBy('renewAddresses'), ...renewedBy('renewNow') },
  })),
  headings: unheaded,
  prepares: async (world) => {
    await limitAddresses(world, LIFETIME_S);
    return ownCopy(world, 'audio');
  },
  arrives: async (world) => {
    await world.settle({ type: 'xstate.done.actor.renewNow' });
    await expect(world.page.locator('[data-flow="tracks"]')).toHaveAttribute('data-state', '{"attached":"paused"}');
    world.hold('renewNow');
    // The recorder comes when somebody presses something.
    await world.page.keyboard.press('Shift');
    await expect.poll(() => recordedState(world.page, 'addresses')).toBe('fresh');
    await stopTime(world);
  },
  reacts: () => null,
  shows: async (world, snapshot) => {
    const player = world.page.locator('[data-flow="tracks"]');
    if (hasLeft(snapshot)) return expect(player).toHaveCount(0);
    const { value } = snapshot;
    await expect.poll(() => recordedState(world.page, 'addresses')).toBe(value);
    await expect.poll(() => world.waiting('renewNow') > 0).toBe(value === 'renewing' || value === 'awaited');
  },
  ports: { renewAddresses: componentsPort, renewNow: componentsPort },
  causes: { 'addresses.expired': expire },
};
