import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { cardsMachine } from '../../../../machines/account/cards.ts';
import { canStillAddCard, type AddedCard, type Card } from '../../../../machines/model/buying/card.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import type { Headings, Port, BrowserAdapter } from '../../browser-adapter.ts';
import { press } from '../../press.ts';
import { toCardsXml, fillFields, isDoneEvent, json, NOT_SERVED } from '../../wires.ts';
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
  asks: ({ pathname }) => pathname.endsWith('/card/add'),
  answer: ({ cards, addedId }: AddedCard) => toCardsXml(cards, addedId),
};

const createListPort = (call: string): Port => ({
  asks: ({ pathname }) => pathname.endsWith(call),
  answer: (cards: Card[]) => toCardsXml(cards),
});

/** Whether the gateway has its own page for cards. */
const hasCardPage = ({ output }: AnyEventObject): boolean => (output as { url: string | null }).url !== null;

const hasNoCard = ({ type, output }: AnyEventObject): boolean => type === 'xstate.done.actor.addCard' && output === null;

/** The address has a token or not, and keeps it until the server has accepted or refused it. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (!event.type.endsWith('.addCard')) return true;
  const { problem, notAdded } = snapshot.context as { problem: Problem | null; notAdded: Problem | null };
  const isFirst = problem === null && notAdded === null;
  return isFirst || hasNoCard(event) !== (notAdded !== null && canStillAddCard(notAdded));
};

export const adapter: BrowserAdapter = {
  name: 'cards',
  models: models.filter(({ name }) => name === 'cards'),
  address: () => '/account',
  startsSignedIn: () => true,
  prepares: async (world) => {
    const first = getNextSettlement(world, 'addCard');
    return first === null || hasNoCard(first) ? '/account' : `/account?cardtoken=${'A'.repeat(43)}`;
  },
  arrives: waitForFlowAndRecorder,
  headings,
  // Without a token in the address no request is sent, and the cards are loaded at once.
  isPassing: ({ value }) => value === 'adding',
  isPossible,
  comesByItself: hasNoCard,
  ports: {
    addCard: addPort,
    addCardAgain: addPort,
    loadCards: {
      ...createListPort('/card/all'),
      says: (cards: Card[], body) => cards.length === 0 && !body.includes('<Card>'),
    },
    changeDefault: createListPort('/card/change'),
    removeCard: createListPort('/card/delete'),
    sendCard: addPort,
    startCard: {
      asks: ({ pathname }) => pathname.endsWith('/card/session'),
      answer: ({ url }: { url: string | null }) => (url === null ? NOT_SERVED : json({ url })),
      serverWillAnswer: (event) => isDoneEvent(event) && hasCardPage(event),
    },
  },
  causes: {
    'xstate.done.actor.startCard': async (world, event) => {
      await world.settle(event);
      if (hasCardPage(event)) await visitGateway(world);
    },
    'card.submitted': async (world, event) => {
      await fillFields(world, { cardNumber: '4242424242424242', cardExpiry: '12/34', cardCode: '123', cardName: 'Ann Lee' });
      await press(world, event);
    },
    'card.rejected': async (world) => {
      await fillFields(world, { cardNumber: '4242424242424241', cardExpiry: '12/34', cardCode: '123', cardName: 'Ann Lee' });
      await press(world, { type: 'card.submitted' });
    },
  },
};
