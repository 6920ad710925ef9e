import { expect, type Locator } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { SaveOutcome } from '../../../../machines/model/reading/reading.ts';
import type { Medium } from '../../../../machines/model/catalogue/title.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/viewer/paths.ts';
import type { Page } from '@playwright/test';
import type { Reaction } from '../../../../machines/trace/format.ts';
import { parseTrace, recordedTrace } from '../../../browser/recorded-trace.ts';
import type { Port, Stage, World } from '../../stage.ts';
import { json } from '../../wires.ts';
import { stopTime } from '../../causes.ts';

/** A demo title of each medium. */
export const demoTitle = { epub: '1001', pdf: '1016', audio: '1019', video: '1022', interactive: '1024' } satisfies Record<
  Medium,
  string
>;

export const modelsOf = (name: string, part: (model: PathModel) => Partial<PathModel>): PathModel[] =>
  models.filter((model) => model.name === name).map((model) => ({ ...model, ...part(model) }));

/** The viewer's address for the customer's own copy of the demo title. */
export const ownCopy = async ({ customer }: World, medium: Medium): Promise<string> => {
  const reader = await customer();
  await reader.buys(demoTitle[medium]);
  return `/viewer?instanceid=${await reader.instanceOf(demoTitle[medium])}`;
};

/** Seconds for which the shop says that addresses live: a record of the page holds what happened in the last half hour. */
const lifetime = 300;

/** The shop states this life of addresses, in seconds; by default they are renewed in minutes. */
export const limitAddresses = async ({ page }: World, expiresIn = lifetime): Promise<void> => {
  await page.route(
    ({ pathname }) => pathname.endsWith('/viewer/url'),
    async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { url: string };
      await route.fulfill({ response, json: { ...answer, expiresIn } });
    },
  );
};

/** The viewer's address for the customer's own copy, with addresses that are renewed within minutes. */
export const copyForMinutes = async (world: World, medium: Medium): Promise<string> => {
  await limitAddresses(world);
  return ownCopy(world, medium);
};

/** So much passes that other addresses are asked for. */
export const passMinutes = ({ page }: World): Promise<void> => page.clock.fastForward(lifetime * 1000);

/** Where every player within the viewer is toured. */
export const inViewer: Pick<Stage, 'address' | 'arrives'> = {
  address: () => '/viewer?instanceid=i1',
  arrives: ({ flow }) => flow.waitFor(),
};

const saving = (url: URL, method: string): boolean => url.pathname.endsWith('/viewer/progress') && method === 'POST';

/** Another device has read on. */
const isConflict = (output: SaveOutcome | undefined): boolean => (output?.newer ?? null) !== null;

/** The request that keeps the customer’s place. */
export const savePort: Port = {
  asks: saving,
  answer: (output: SaveOutcome | undefined) =>
    isConflict(output) ? json({ error: 'Newer', status: 409, code: 'place_newer' }, 409) : json({ version: 1 }),
  serverGives: (event) => event.type.startsWith('xstate.done.') && !isConflict(event['output'] as SaveOutcome | undefined),
};

/** Other devices of the customer. */
export const tablet = { id: 'tablet-1', name: 'Safari, iPad' };
export const laptop = { id: 'laptop-1', name: 'Firefox, Windows' };

/** A place that this browser has kept of a title, from an earlier visit. */
export const keepsPlace = (
  { page }: World,
  place: { titleId: string; contextKey: string; [more: string]: unknown },
): Promise<unknown> =>
  page.addInitScript((kept) => {
    // A title that is walled off has no storage.
    if (window !== top) return;
    const user = localStorage.getItem('userid') ?? sessionStorage.getItem('userid');
    if (user === null) return;
    const whole = { savedAt: '2026-01-02T10:00:00Z', known: { version: 0 }, isSent: true, offered: null, ...kept };
    localStorage.setItem(`colophon.places.${user}`, JSON.stringify([whole]));
  }, place);

/** Closes a player whose place is not kept yet: how long it waits for that is for the tour to say. */
export const close = async (world: World): Promise<void> => {
  await stopTime(world);
  await world.flow.locator('[data-event="close.pressed"]').first().click();
};

/** Goes to a book's last page by the slider, and turns on until there is nothing to turn to. */
export const readToTheEnd = async (book: Locator): Promise<void> => {
  await book.getByRole('slider').press('End');
  await expect(async () => {
    const isAtEnd = async () => (await book.getAttribute('data-state'))?.includes('"page":"ended"');
    if (await isAtEnd()) return;
    await book.locator('[data-event="turn.pressed"][data-value="next"]').click();
    expect(await isAtEnd()).toBe(true);
  }).toPass();
};

/** Lets what a player asks for come, or breaks it off. */
export const settled = (port: string, problem?: { kind: 'offline' }): AnyEventObject =>
  problem ? { type: `xstate.error.actor.${port}`, error: problem } : { type: `xstate.done.actor.${port}` };

/** Pages whose addresses have expired: their media are refused until the shop has given other addresses. */
const expired = new WeakSet<Page>();

/** The files of a title; they come, or are refused for their address while that has expired. */
export const mediaPort = (asks: Port['asks']): Port => ({
  asks,
  answer: () => json({ error: 'This address has expired.', status: 403, code: 'media_denied' }, 403),
  serverGives: ({ type }, { page }) => type.startsWith('xstate.done.') && !expired.has(page),
});

/** What becomes of the request for other addresses. */
export const renewals = [{ answer: 'renewed' }, { answer: 'refused' }, { answer: 'lost' }];

const isComponents = ({ pathname }: URL): boolean => pathname.endsWith('/viewer/components');

/** A title whose addresses have expired by the time when its player asks for the files of `port`. */
export const expire = async (world: World, port: string, answer: unknown): Promise<void> => {
  const { page, injected } = world;
  injected('addresses that have expired');
  expired.add(page);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/viewer/url')) expired.delete(page);
  });
  if (answer !== 'renewed') {
    const refusal = { error: 'This title is not in your library.', status: 403, code: 'not_owned' };
    await page.route(isComponents, (route) =>
      answer === 'lost' ? route.abort() : route.fulfill({ status: 403, json: refusal }),
    );
  }
  await world.settle(settled(port));
  if (answer !== 'lost') return;
  await expect(world.flow.getByRole('alert')).toBeVisible({ timeout: 30_000 });
  await page.unroute(isComponents);
  expired.delete(page);
  world.hold(port);
};

/** What a player's machine hears of its addresses when they have expired. */
export const renewalOf = (because: AnyEventObject | null, opened: AnyEventObject): AnyEventObject[] => {
  if (because?.['answer'] === 'refused') return [{ type: 'addresses.refused', problem: { kind: 'refused', code: 'not_owned' } }];
  if (because?.['answer'] === 'lost') return [{ type: 'addresses.failed', problem: { kind: 'offline' } }];
  return [{ type: 'addresses.renewed', items: because?.['items'] ?? [] }, opened];
};

/** What the page's own trace says of all machines; nothing before the recorder has come. */
const allReactions = async (page: Page): Promise<Reaction[]> => {
  const record = await recordedTrace(page);
  return record === null ? [] : parseTrace(record).runs.flatMap(({ steps }) => steps.flatMap((step) => step.reactions));
};

/** What the page's own trace says of a machine of the player of sound. */
export const reactionsOf = async (page: Page, machine: string): Promise<Reaction[]> =>
  (await allReactions(page)).filter(({ actor }) => actor === `root/screen/flow/tracks/${machine}`);

const lastState = (reactions: Reaction[]): unknown => reactions.findLast(({ state }) => state !== undefined)?.state ?? null;

/** The state that it is in, or null when it is not there yet. */
export const recordedState = async (page: Page, machine: string): Promise<unknown> => lastState(await reactionsOf(page, machine));

/** The state of the player of sound itself. */
export const playerState = async (page: Page): Promise<unknown> =>
  lastState((await allReactions(page)).filter(({ actor }) => actor === 'root/screen/flow/tracks'));

/** So much time passes for the page that the title's addresses are renewed, which nobody waits for and nothing shows. */
export const renewInTime = async (world: World): Promise<void> => {
  const { page } = world;
  // The recorder comes when somebody presses something.
  await page.keyboard.press('Shift');
  await expect.poll(async () => (await allReactions(page)).length).toBeGreaterThan(0);
  const heard = async () => (await allReactions(page)).filter(({ on }) => on === 'addresses.renewed').length;
  const before = await heard();
  await passMinutes(world);
  await expect.poll(heard).toBeGreaterThan(before);
};
