import { expect, type Locator } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { SaveOutcome } from '../../../../machines/model/reading/reading.ts';
import type { Medium } from '../../../../machines/model/catalogue/title.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/viewer/paths.ts';
import type { Page } from '@playwright/test';
import type { Reaction } from '../../../../machines/trace/format.ts';
import { parseTrace, readRecordedTrace } from '../../../browser/recorded-trace.ts';
import type { Port, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';
import { pauseClock } from '../../causes.ts';

/** A demo title of each medium. */
export const demoTitle = { epub: '1001', pdf: '1016', audio: '1019', video: '1022', interactive: '1024' } satisfies Record<
  Medium,
  string
>;

export const changeModels = (name: string, part: (model: PathModel) => Partial<PathModel>): PathModel[] =>
  models.filter((model) => model.name === name).map((model) => ({ ...model, ...part(model) }));

/** The viewer's address of the customer's own copy of the demo title. */
export const buyCopy = async ({ customer }: WalkContext, medium: Medium): Promise<string> => {
  const reader = await customer();
  await reader.buy(demoTitle[medium]);
  return `/viewer?instanceid=${await reader.fetchInstanceId(demoTitle[medium])}`;
};

/** Lifetime of media URLs in seconds, below the half hour that a record of the page covers. */
const LIFETIME_S = 300;

/**
 * Makes the shop report this lifetime of media URLs in seconds; by default they are renewed within
 * minutes.
 */
export const limitAddresses = async ({ page }: WalkContext, expiresIn = LIFETIME_S): Promise<void> => {
  await page.route(
    ({ pathname }) => pathname.endsWith('/viewer/url'),
    async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { url: string };
      await route.fulfill({ response, json: { ...answer, expiresIn } });
    },
  );
};

/** The viewer's address of the customer's own copy, whose media URLs are renewed within minutes. */
export const buyShortLivedCopy = async (world: WalkContext, medium: Medium): Promise<string> => {
  await limitAddresses(world);
  return buyCopy(world, medium);
};

/** Advances the clock until the media URLs are renewed. */
export const passLifetime = ({ page }: WalkContext): Promise<void> => page.clock.fastForward(LIFETIME_S * 1000);

/** The address and start of the walks of all players in the viewer. */
export const inViewer: Pick<BrowserAdapter, 'address' | 'arrives'> = {
  address: () => '/viewer?instanceid=i1',
  arrives: ({ flow }) => flow.waitFor(),
};

const isSaveCall = (url: URL, method: string): boolean => url.pathname.endsWith('/viewer/progress') && method === 'POST';

/** Whether another device has read further. */
const isConflict = (output: SaveOutcome | undefined): boolean => (output?.newer ?? null) !== null;

/** The request that saves the customer’s position. */
export const savePort: Port = {
  asks: isSaveCall,
  answer: (output: SaveOutcome | undefined) =>
    isConflict(output) ? json({ error: 'Newer', status: 409, code: 'place_newer' }, 409) : json({ version: 1 }),
  serverWillAnswer: (event) => event.type.startsWith('xstate.done.') && !isConflict(event['output'] as SaveOutcome | undefined),
};

/** Other devices of the customer. */
export const tablet = { id: 'tablet-1', name: 'Safari, iPad' };
export const laptop = { id: 'laptop-1', name: 'Firefox, Windows' };

/** Stores a title's position of an earlier visit in this browser. */
export const rememberPlace = (
  { page }: WalkContext,
  place: { titleId: string; contextKey: string; [more: string]: unknown },
): Promise<unknown> =>
  page.addInitScript((kept) => {
    // A sandboxed title has no storage.
    if (window !== top) return;
    const user = localStorage.getItem('userid') ?? sessionStorage.getItem('userid');
    if (user === null) return;
    const whole = { savedAt: '2026-01-02T10:00:00Z', known: { version: 0 }, isSent: true, offered: null, ...kept };
    localStorage.setItem(`colophon.places.${user}`, JSON.stringify([whole]));
  }, place);

/**
 * Closes a player whose position is not saved yet, with the clock paused: the walk decides how long
 * it waits.
 */
export const closeViewer = async (world: WalkContext): Promise<void> => {
  await pauseClock(world);
  await world.flow.locator('[data-event="close.pressed"]').first().click();
};

/** Moves to the last page of a book by the slider, and turns pages to the end. */
export const readToTheEnd = async (book: Locator): Promise<void> => {
  await book.getByRole('slider').press('End');
  await expect(async () => {
    const isAtEnd = async () => (await book.getAttribute('data-state'))?.includes('"page":"ended"');
    if (await isAtEnd()) return;
    await book.locator('[data-event="turn.pressed"][data-value="next"]').click();
    expect(await isAtEnd()).toBe(true);
  }).toPass();
};

/** Settles a player's request, or fails it. */
export const toSettlement = (port: string, problem?: { kind: 'offline' }): AnyEventObject =>
  problem ? { type: `xstate.error.actor.${port}`, error: problem } : { type: `xstate.done.actor.${port}` };

/** Pages whose media URLs have expired: media are refused until the shop has issued new URLs. */
const expiredPages = new WeakSet<Page>();

/** The files of a title; refused while its media URLs have expired. */
export const createMediaPort = (asks: Port['asks']): Port => ({
  asks,
  answer: () => json({ error: 'This address has expired.', status: 403, code: 'media_denied' }, 403),
  serverWillAnswer: ({ type }, { page }) => type.startsWith('xstate.done.') && !expiredPages.has(page),
});

/** Outcomes of the request for new media URLs. */
export const renewalCases = [{ answer: 'renewed' }, { answer: 'refused' }, { answer: 'lost' }];

const isComponents = ({ pathname }: URL): boolean => pathname.endsWith('/viewer/components');

/** A title whose media URLs have expired when its player requests the files of `port`. */
export const expireAddresses = async (world: WalkContext, port: string, answer: unknown): Promise<void> => {
  const { page, injected } = world;
  injected('expired media URLs');
  expiredPages.add(page);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/viewer/url')) expiredPages.delete(page);
  });
  if (answer !== 'renewed') {
    const refusal = { error: 'This title is not in your library.', status: 403, code: 'not_owned' };
    await page.route(isComponents, (route) =>
      answer === 'lost' ? route.abort() : route.fulfill({ status: 403, json: refusal }),
    );
  }
  await world.settle(toSettlement(port));
  if (answer !== 'lost') return;
  await expect(world.flow.getByRole('alert')).toBeVisible({ timeout: 30_000 });
  await page.unroute(isComponents);
  expiredPages.delete(page);
  world.hold(port);
};

/** The events about its media URLs that a player's machine receives after they have expired. */
export const toRenewalEvents = (because: AnyEventObject | null, opened: AnyEventObject): AnyEventObject[] => {
  if (because?.['answer'] === 'refused') return [{ type: 'addresses.refused', problem: { kind: 'refused', code: 'not_owned' } }];
  if (because?.['answer'] === 'lost') return [{ type: 'addresses.failed', problem: { kind: 'offline' } }];
  return [{ type: 'addresses.renewed', items: because?.['items'] ?? [] }, opened];
};

/** All machines' reactions in the page's own trace; empty until the recorder is loaded. */
const readAllReactions = async (page: Page): Promise<Reaction[]> => {
  const record = await readRecordedTrace(page);
  return record === null ? [] : parseTrace(record).runs.flatMap(({ steps }) => steps.flatMap((step) => step.reactions));
};

/** The reactions of a child machine of the audio player in the page's own trace. */
export const readReactions = async (page: Page, machine: string): Promise<Reaction[]> =>
  (await readAllReactions(page)).filter(({ actor }) => actor === `root/screen/flow/tracks/${machine}`);

const getLastState = (reactions: Reaction[]): unknown => reactions.findLast(({ state }) => state !== undefined)?.state ?? null;

/** Its last state, or null before it was created. */
export const readRecordedState = async (page: Page, machine: string): Promise<unknown> =>
  getLastState(await readReactions(page, machine));

/** The state of the audio player itself. */
export const readPlayerState = async (page: Page): Promise<unknown> =>
  getLastState((await readAllReactions(page)).filter(({ actor }) => actor === 'root/screen/flow/tracks'));

/**
 * Advances the page's clock until the title's media URLs are renewed, which has no effect on the
 * screen.
 */
export const renewInTime = async (world: WalkContext): Promise<void> => {
  const { page } = world;
  // The recorder is loaded on the first user activity.
  await page.keyboard.press('Shift');
  await expect.poll(async () => (await readAllReactions(page)).length).toBeGreaterThan(0);
  const heard = async () => (await readAllReactions(page)).filter(({ on }) => on === 'addresses.renewed').length;
  const before = await heard();
  await passLifetime(world);
  await expect.poll(heard).toBeGreaterThan(before);
};
