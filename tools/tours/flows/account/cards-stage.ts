import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { cardsMachine } from '../../../../machines/account/cards.ts';
import { mayBeAddedYet, type AddedCard, type Card } from '../../../../machines/model/buying/card.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { standsRecorded, nextOf } from '../../causes.ts';
import type { Headings, Port, Stage } from '../../stage.ts';
import { press } from '../../press.ts';
import { cardsWire, fillFields, isDone, json, notServed } from '../../wires.ts';
import { visitGateway } from '../purchase/stage-helpers.ts';
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
  answer: ({ cards, addedId }: AddedCard) => cardsWire(cards, addedId),
};

const listPort = (call: string): Port => ({
  asks: ({ pathname }) => pathname.endsWith(call),
  answer: (cards: Card[]) => cardsWire(cards),
});

/** The server has a page of the gateway for cards. */
const hasPage = ({ output }: AnyEventObject): boolean => (output as { url: string | null }).url !== null;

const hasNoCard = ({ type, output }: AnyEventObject): boolean => type === 'xstate.done.actor.addCard' && output === null;

/** The address holds a token or none, and keeps it until the server has accepted or refused it. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (!event.type.endsWith('.addCard')) return true;
  const { problem, notAdded } = snapshot.context as { problem: Problem | null; notAdded: Problem | null };
  const isFirst = problem === null && notAdded === null;
  return isFirst || hasNoCard(event) !== (notAdded !== null && mayBeAddedYet(notAdded));
};

export const stage: Stage = {
  name: 'cards',
  models: models.filter(({ name }) => name === 'cards'),
  address: () => '/account',
  startsSignedIn: () => true,
  prepares: async (world) => {
    const first = nextOf(world, 'addCard');
    return first === null || hasNoCard(first) ? '/account' : `/account?cardtoken=${'A'.repeat(43)}`;
  },
  arrives: standsRecorded,
  headings,
  // Without a token in the address nothing is asked, and the wait for the cards follows at once.
  isPassing: ({ value }) => value === 'adding',
  isPossible,
  comesByItself: hasNoCard,
  ports: {
    addCard: addPort,
    addCardAgain: addPort,
    loadCards: {
      ...listPort('/card/all'),
      says: (cards: Card[], body) => cards.length === 0 && !body.includes('<Card>'),
    },
    changeDefault: listPort('/card/change'),
    removeCard: listPort('/card/delete'),
    sendCard: addPort,
    startCard: {
      asks: ({ pathname }) => pathname.endsWith('/card/session'),
      answer: ({ url }: { url: string | null }) => (url === null ? notServed : json({ url })),
      serverGives: (event) => isDone(event) && hasPage(event),
    },
  },
  causes: {
    'xstate.done.actor.startCard': async (world, event) => {
      await world.settle(event);
      if (hasPage(event)) await visitGateway(world);
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
