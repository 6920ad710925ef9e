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
import { toJsonResponse } from '../../wires.ts';
import { pauseClock } from '../../../browser/clock.ts';

/** The id of a demo title of each medium. */
export const demoTitleIds = { epub: '1001', pdf: '1016', audio: '1019', video: '1022', interactive: '1024' } satisfies Record<
  Medium,
  string
>;

/** Returns the viewer's path models of a machine, with changes for a browser. */
export const changeModels = (name: string, getChanges: (model: PathModel) => Partial<PathModel>): PathModel[] =>
  models.filter((model) => model.name === name).map((model) => ({ ...model, ...getChanges(model) }));

/** Buys the demo title. @returns the viewer's path of the customer's copy */
export const buyCopy = async ({ getCustomer }: WalkContext, medium: Medium): Promise<string> => {
  const customer = await getCustomer();
  await customer.buy(demoTitleIds[medium]);
  return `/viewer?instanceid=${await customer.fetchInstanceId(demoTitleIds[medium])}`;
};

/** Lifetime of media URLs, below the half hour that a trace of the page covers. */
const URL_LIFETIME_S = 300;

/**
 * Makes the shop report `expiresIn` seconds as the lifetime of media URLs; by default so few that
 * the URLs are renewed within minutes.
 */
export const limitMediaUrlLifetime = async ({ page }: WalkContext, expiresIn = URL_LIFETIME_S): Promise<void> => {
  await page.route(
    ({ pathname }) => pathname.endsWith('/viewer/url'),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { url: string };
      await route.fulfill({ response, json: { ...body, expiresIn } });
    },
  );
};

/** Like `buyCopy`, for a copy whose media URLs are renewed within minutes. */
export const buyShortLivedCopy = async (walk: WalkContext, medium: Medium): Promise<string> => {
  await limitMediaUrlLifetime(walk);
  return buyCopy(walk, medium);
};

/** Advances the clock until the media URLs are renewed. */
export const passMediaUrlLifetime = ({ page }: WalkContext): Promise<void> => page.clock.fastForward(URL_LIFETIME_S * 1000);

/** The start of the walks of all players in the viewer. */
export const viewerStart = {
  getStartPath: () => '/viewer?instanceid=i1',
  openScreen: ({ flow }) => flow.waitFor(),
} satisfies Partial<BrowserAdapter>;

const isSaveCall = (url: URL, method: string): boolean => url.pathname.endsWith('/viewer/progress') && method === 'POST';

/** Whether another device has read further. */
const isConflict = (output: SaveOutcome | undefined): boolean => (output?.newer ?? null) !== null;

/** The request that saves the customer’s position. */
export const savePort: Port = {
  matches: isSaveCall,
  toResponse: (output: SaveOutcome | undefined) =>
    isConflict(output)
      ? toJsonResponse({ error: 'Newer', status: 409, code: 'place_newer' }, 409)
      : toJsonResponse({ version: 1 }),
  serverWillAnswer: (event) => event.type.startsWith('xstate.done.') && !isConflict(event['output'] as SaveOutcome | undefined),
};

/** Other devices of the customer. */
export const tablet = { id: 'tablet-1', name: 'Safari, iPad' };
export const laptop = { id: 'laptop-1', name: 'Firefox, Windows' };

/** Stores a title's position in this browser, as an earlier visit has left it. */
export const storePosition = (
  { page }: WalkContext,
  entry: { titleId: string; contextKey: string; [more: string]: unknown },
): Promise<unknown> =>
  page.addInitScript((values) => {
    // A sandboxed title has no storage.
    if (window !== top) return;
    const user = localStorage.getItem('userid') ?? sessionStorage.getItem('userid');
    if (user === null) return;
    const storedPosition = { savedAt: '2026-01-02T10:00:00Z', known: { version: 0 }, isSent: true, offered: null, ...values };
    localStorage.setItem(`colophon.places.${user}`, JSON.stringify([storedPosition]));
  }, entry);

/**
 * Closes a player whose position is not saved yet, with the clock paused: the walk decides how long
 * the player waits for the save.
 */
export const closeViewer = async (walk: WalkContext): Promise<void> => {
  await pauseClock(walk);
  await walk.flow.locator('[data-event="close.pressed"]').first().click();
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

/** Creates the event that settles a player's request, or fails it with the problem. */
export const toSettlement = (port: string, problem?: { kind: 'offline' }): AnyEventObject =>
  problem ? { type: `xstate.error.actor.${port}`, error: problem } : { type: `xstate.done.actor.${port}` };

/** Pages whose media URLs have expired: media are refused until the shop has issued new URLs. */
const expiredPages = new WeakSet<Page>();

/** Creates the port of a title's files, which are refused while its media URLs have expired. */
export const createMediaPort = (isMediaCall: (url: URL) => boolean): Port => ({
  matches: isMediaCall,
  toResponse: () => toJsonResponse({ error: 'This address has expired.', status: 403, code: 'media_denied' }, 403),
  serverWillAnswer: ({ type }, { page }) => type.startsWith('xstate.done.') && !expiredPages.has(page),
});

/** Outcomes of the request for new media URLs. */
export const renewalCases = [{ answer: 'renewed' }, { answer: 'refused' }, { answer: 'lost' }];

const isComponentsCall = ({ pathname }: URL): boolean => pathname.endsWith('/viewer/components');

/**
 * Makes the title's media URLs expire before its player gets the files of `port`. The player's
 * request for new URLs ends with `outcome`.
 */
export const expireMediaUrls = async (walk: WalkContext, port: string, outcome: unknown): Promise<void> => {
  const { page, recordInjection } = walk;
  recordInjection('expired media URLs');
  expiredPages.add(page);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/viewer/url')) expiredPages.delete(page);
  });
  if (outcome !== 'renewed') {
    const refusal = { error: 'This title is not in your library.', status: 403, code: 'not_owned' };
    await page.route(isComponentsCall, (route) =>
      outcome === 'lost' ? route.abort() : route.fulfill({ status: 403, json: refusal }),
    );
  }
  await walk.settle(toSettlement(port));
  if (outcome !== 'lost') return;
  await expect(walk.flow.getByRole('alert')).toBeVisible({ timeout: 30_000 });
  await page.unroute(isComponentsCall);
  expiredPages.delete(page);
  walk.hold(port);
};

/** Returns the events that a player's machine receives after its media URLs have expired. */
export const toRenewalEvents = (cause: AnyEventObject | null, openedEvent: AnyEventObject): AnyEventObject[] => {
  if (cause?.['answer'] === 'refused') return [{ type: 'addresses.refused', problem: { kind: 'refused', code: 'not_owned' } }];
  if (cause?.['answer'] === 'lost') return [{ type: 'addresses.failed', problem: { kind: 'offline' } }];
  return [{ type: 'addresses.renewed', items: cause?.['items'] ?? [] }, openedEvent];
};

/** Returns all machines' reactions in the page's trace; none until the recorder is loaded. */
const readAllReactions = async (page: Page): Promise<Reaction[]> => {
  const trace = await readRecordedTrace(page);
  return trace === null ? [] : parseTrace(trace).runs.flatMap(({ steps }) => steps.flatMap((step) => step.reactions));
};

/** Returns the reactions of a child machine of the audio player in the page's trace. */
export const readReactions = async (page: Page, machine: string): Promise<Reaction[]> =>
  (await readAllReactions(page)).filter(({ actor }) => actor === `root/screen/flow/tracks/${machine}`);

const getLastState = (reactions: Reaction[]): unknown => reactions.findLast(({ state }) => state !== undefined)?.state ?? null;

/**
 * Returns the last recorded state of a child machine of the audio player, or null before its start.
 */
export const readRecordedState = async (page: Page, machine: string): Promise<unknown> =>
  getLastState(await readReactions(page, machine));

/** Returns the last recorded state of the audio player itself, or null before its start. */
export const readPlayerState = async (page: Page): Promise<unknown> =>
  getLastState((await readAllReactions(page)).filter(({ actor }) => actor === 'root/screen/flow/tracks'));

/**
 * Advances the page's clock until the title's media URLs are renewed, which has no effect on the
 * screen.
 */
export const renewMediaUrls = async (walk: WalkContext): Promise<void> => {
  const { page } = walk;
  // The recorder is loaded on the first user activity.
  await page.keyboard.press('Shift');
  await expect.poll(async () => (await readAllReactions(page)).length).toBeGreaterThan(0);
  const countRenewals = async () => (await readAllReactions(page)).filter(({ on }) => on === 'addresses.renewed').length;
  const countBefore = await countRenewals();
  await passMediaUrlLifetime(walk);
  await expect.poll(countRenewals).toBeGreaterThan(countBefore);
};
