import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Publication } from '../../../../machines/model/reading/reading.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import type { viewerMachine } from '../../../../machines/reading/viewer.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { forcePropertiesRequest, changeResponse } from '../../../browser/wire.ts';
import { hideWindow, getNextSettlement } from '../../causes.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { dispatchOnline } from './book-page.ts';
import { demoTitleIds, limitMediaUrlLifetime, changeModels, buyCopy, passMediaUrlLifetime } from './adapter-helpers.ts';

const headings: Headings<typeof viewerMachine> = {
  arriving: null,
  opening: null,
  reading: /The Keeper.s Third Log/,
  listening: 'The Night Signalman',
  playing: 'Night Ferry to Corrow',
  inApp: /read and play this shop’s titles in its app/,
  notOwned: /This title (isn’t|is no longer) in your library/,
  notFound: /There’s nothing to read here|This title has been withdrawn/,
  failed: 'We couldn’t open this title',
};

type OpenedPublication = { publication: Publication };
type Context = { sample: boolean; opened: OpenedPublication | null };

/** Whether an event is possible: buying is offered only while a sample is open. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { sample } = snapshot.context as Context;
  if (event.type === 'buy.pressed') return sample;
  return true;
};

const getMedium = (event: AnyEventObject | null) =>
  (event?.['output'] as OpenedPublication | undefined)?.publication.medium ?? 'epub';

const isMissing = (event: AnyEventObject | null): boolean => {
  const problem = event?.['error'] === undefined ? null : toProblem(event['error']);
  return problem?.kind === 'refused' && problem.code === 'not_found';
};

/**
 * Prepares a copy for which the server gives the walk's next response: of a title of that medium,
 * or no copy.
 * @returns the copy's path in the viewer
 */
const choosePath = async (walk: WalkContext): Promise<string> => {
  const settlement = getNextSettlement(walk, 'openTitle');
  return isMissing(settlement) ? '/viewer?instanceid=gone' : buyCopy(walk, getMedium(settlement));
};

const allowOnlyAppReading = async ({ page }: WalkContext): Promise<void> => {
  await forcePropertiesRequest(page);
  await changeResponse(page, '/store/properties', (body) => body.replace(/<EnableWebReader>\w+/, '<EnableWebReader>False'));
};

/** Makes the server refuse the player's next request for new media URLs. */
const revokeTitle = async (walk: WalkContext, { problem }: AnyEventObject): Promise<void> => {
  const { page, recordInjection } = walk;
  recordInjection('a title that is revoked while it is open');
  const { code } = problem as { code: string };
  const isComponentsCall = ({ pathname }: URL) => pathname.endsWith('/viewer/components');
  const status = code === 'not_owned' ? 403 : 404;
  await page.route(isComponentsCall, (route) => route.fulfill({ status, json: { error: '', status, code } }), { times: 1 });
  await expect(page.locator('[data-flow="viewer"] [data-flow]').first()).toBeVisible();
  await passMediaUrlLifetime(walk);
};

const closePlayer = ({ flow }: WalkContext): Promise<void> =>
  flow
    .locator('[data-flow="book"], [data-flow="tracks"], [data-flow="interactive"]')
    .locator('[data-event="close.pressed"]')
    .click();

export const adapter: BrowserAdapter = {
  name: 'viewer',
  keepsClockRunning: true,
  models: changeModels('viewer', () => ({})),
  reusesPage: true,
  getStartPath: ({ route: { params } }: FlowInput) => `/viewer?${new URLSearchParams(params).toString()}`,
  prepare: async (walk, { input }) => {
    const { route, store } = input as FlowInput;
    const { instanceid, sample } = route.params;
    if (!store.enableWebReader) await allowOnlyAppReading(walk);
    if (instanceid === undefined) return undefined;
    await limitMediaUrlLifetime(walk);
    if (sample === undefined) return choosePath(walk);
    return `/viewer?instanceid=${demoTitleIds[getMedium(getNextSettlement(walk, 'openTitle'))]}&sample=1`;
  },
  // The viewer fills the window: the element around it has a height of 0.
  openScreen: ({ flow }) => flow.getByRole('main').first().waitFor(),
  headings,
  isPossible,
  ports: {
    openTitle: {
      matches: ({ pathname }) => pathname.endsWith('/viewer/components'),
      toResponse: ({ publication }: OpenedPublication) => toJsonResponse(publication),
      isEquivalent: ({ publication }: OpenedPublication, body) => body.includes(`"medium":"${publication.medium}"`),
    },
  },
  causes: {
    'page.hidden': hideWindow,
    'connection.returned': dispatchOnline,
    'title.refused': revokeTitle,
    'xstate.done.actor.book': closePlayer,
    'xstate.done.actor.tracks': closePlayer,
    'xstate.done.actor.interactive': closePlayer,
    'buy.pressed': ({ flow }) => flow.locator('[data-event="buy.pressed"]').first().click(),
  },
};
