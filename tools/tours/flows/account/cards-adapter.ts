import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { cardsMachine } from '../../../../machines/account/cards.ts';
import { canStillAddCard, type AddedCard, type Card } from '../../../../machines/model/buying/card.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import type { Headings, Port, BrowserAdapter } from '../../browser-adapter.ts';
import { press } from '../../press.ts';
import { toCardsXml, fillFields, isDoneEvent, toJsonResponse, NOT_SERVED } from '../../wires.ts';
import { visitGateway } from '../purchase/adapter-helpers.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof cardsMachine> = {
  adding: 'Cards',
  loading: 'Cards',
  shown: 'Cards',
  addingAgain: 'Cards',
  asking: 'Cards',
  removing: 'Cards',
  changing: 'Cards',
  starting: 'Cards',
  typing: 'Cards',
  sending: 'Cards',
  failed: 'We couldn’t load your cards',
};

const addPort: Port = {
  matches: ({ pathname }) => pathname.endsWith('/card/add'),
  toResponse: ({ cards, addedId }: AddedCard) => toCardsXml(cards, addedId),
};

const createListPort = (pathEnd: string): Port => ({
  matches: ({ pathname }) => pathname.endsWith(pathEnd),
  toResponse: (cards: Card[]) => toCardsXml(cards),
});

/** Whether a started card is entered on the gateway's page. */
const hasCardPage = ({ output }: AnyEventObject): boolean => (output as { url: string | null }).url !== null;

const hasNoToken = ({ type, output }: AnyEventObject): boolean => type === 'xstate.done.actor.addCard' && output === null;

/**
 * A card is added only if the URL has a card's token, which stays there until the server has
 * accepted or finally refused it.
 */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (!event.type.endsWith('.addCard')) return true;
  const { problem, notAdded } = snapshot.context as { problem: Problem | null; notAdded: Problem | null };
  const isFirstAttempt = problem === null && notAdded === null;
  return isFirstAttempt || hasNoToken(event) !== (notAdded !== null && canStillAddCard(notAdded));
};

export const adapter: BrowserAdapter = {
  name: 'cards',
  models: models.filter(({ name }) => name === 'cards'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  prepare: async (walk) => {
    const firstSettlement = getNextSettlement(walk, 'addCard');
    return firstSettlement === null || hasNoToken(firstSettlement) ? '/account' : `/account?cardtoken=${'A'.repeat(43)}`;
  },
  openScreen: waitForFlowAndRecorder,
  headings,
  // Without a token in the URL no request is sent, and the cards are loaded at once.
  isTransient: ({ value }) => value === 'adding',
  isPossible,
  settlesByItself: hasNoToken,
  ports: {
    addCard: addPort,
    addCardAgain: addPort,
    loadCards: {
      ...createListPort('/card/all'),
      isEquivalent: (cards: Card[], body) => cards.length === 0 && !body.includes('<Card>'),
    },
    changeDefault: createListPort('/card/change'),
    removeCard: createListPort('/card/delete'),
    sendCard: addPort,
    startCard: {
      matches: ({ pathname }) => pathname.endsWith('/card/session'),
      toResponse: ({ url }: { url: string | null }) => (url === null ? NOT_SERVED : toJsonResponse({ url })),
      serverWillAnswer: (event) => isDoneEvent(event) && hasCardPage(event),
    },
  },
  causes: {
    'xstate.done.actor.startCard': async (walk, event) => {
      await walk.settle(event);
      if (hasCardPage(event)) await visitGateway(walk);
    },
    'card.submitted': async (walk, event) => {
      await fillFields(walk, { cardNumber: '4242424242424242', cardExpiry: '12/34', cardCode: '123', cardName: 'Ann Lee' });
      await press(walk, event);
    },
    'card.rejected': async (walk) => {
      await fillFields(walk, { cardNumber: '4242424242424241', cardExpiry: '12/34', cardCode: '123', cardName: 'Ann Lee' });
      await press(walk, { type: 'card.submitted' });
    },
  },
};
