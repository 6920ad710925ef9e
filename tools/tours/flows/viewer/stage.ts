import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Publication } from '../../../../machines/model/reading/reading.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import type { viewerMachine } from '../../../../machines/reading/viewer.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { askForProperties, changeAnswer } from '../../../browser/wire.ts';
import { hideWindow, nextOf } from '../../causes.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { json } from '../../wires.ts';
import { connectionReturns } from './book-page.ts';
import { demoTitle, limitAddresses, modelsOf, ownCopy, passMinutes } from './stage-helpers.ts';

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

type Opened = { publication: Publication };
type Context = { sample: boolean; opened: Opened | null };

/** The player of a title can be closed when there is one; buying is offered while a sample is open. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { sample } = snapshot.context as Context;
  if (event.type === 'buy.pressed') return sample;
  return true;
};

const mediumOf = (event: AnyEventObject | null) => (event?.['output'] as Opened | undefined)?.publication.medium ?? 'epub';

const isGone = (event: AnyEventObject | null): boolean => {
  const problem = event?.['error'] === undefined ? null : problemOf(event['error']);
  return problem?.kind === 'refused' && problem.code === 'not_found';
};

/** A copy that answers as the tour wants: of a title of its medium, or of none. */
const address = async (world: World): Promise<string> => {
  const next = nextOf(world, 'openTitle');
  return isGone(next) ? '/viewer?instanceid=gone' : ownCopy(world, mediumOf(next));
};

const readInApp = async ({ page }: World): Promise<void> => {
  await askForProperties(page);
  await changeAnswer(page, '/store/properties', (body) => body.replace(/<EnableWebReader>\w+/, '<EnableWebReader>False'));
};

/** The server says so when the player asks for other addresses. */
const loseTitle = async (world: World, { problem }: AnyEventObject): Promise<void> => {
  const { page, injected } = world;
  injected('a title that is lost while it is open');
  const { code } = problem as { code: string };
  const isComponents = ({ pathname }: URL) => pathname.endsWith('/viewer/components');
  const status = code === 'not_owned' ? 403 : 404;
  await page.route(isComponents, (route) => route.fulfill({ status, json: { error: '', status, code } }), { times: 1 });
  await expect(page.locator('[data-flow="viewer"] [data-flow]').first()).toBeVisible();
  await passMinutes(world);
};

const closePlayer = ({ flow }: World): Promise<void> =>
  flow
    .locator('[data-flow="book"], [data-flow="tracks"], [data-flow="interactive"]')
    .locator('[data-event="close.pressed"]')
    .click();

export const stage: Stage = {
  name: 'viewer',
  timeGoesOn: true,
  models: modelsOf('viewer', () => ({})),
  sharesPage: true,
  address: ({ route: { params } }: FlowInput) => `/viewer?${new URLSearchParams(params).toString()}`,
  prepares: async (world, { input }) => {
    const { route, store } = input as FlowInput;
    const { instanceid, sample } = route.params;
    if (!store.enableWebReader) await readInApp(world);
    if (instanceid === undefined) return undefined;
    await limitAddresses(world);
    if (sample === undefined) return address(world);
    return `/viewer?instanceid=${demoTitle[mediumOf(nextOf(world, 'openTitle'))]}&sample=1`;
  },
  // The viewer fills the window: the element around it has no height of its own.
  arrives: ({ flow }) => flow.getByRole('main').first().waitFor(),
  headings,
  isPossible,
  ports: {
    openTitle: {
      asks: ({ pathname }) => pathname.endsWith('/viewer/components'),
      answer: ({ publication }: Opened) => json(publication),
      says: ({ publication }: Opened, body) => body.includes(`"medium":"${publication.medium}"`),
    },
  },
  causes: {
    'page.hidden': hideWindow,
    'connection.returned': connectionReturns,
    'title.refused': loseTitle,
    'xstate.done.actor.book': closePlayer,
    'xstate.done.actor.tracks': closePlayer,
    'xstate.done.actor.interactive': closePlayer,
    'buy.pressed': ({ flow }) => flow.locator('[data-event="buy.pressed"]').first().click(),
  },
};
