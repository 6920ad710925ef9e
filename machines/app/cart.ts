import { assign, setup, type EventObject, type SnapshotFrom } from 'xstate';
import type { CartChange, CartLine } from '../model/buying/cart.ts';
import type { SessionChange } from '../flows/flow-input.ts';
import { channelPort, requestPort } from '../ports.ts';
import { emptyQueue, queueSetup, queueStates, withPending, type ChangeQueue, type FailureAnswer } from './change-queue.ts';

/** The cart may have changed: another tab says so, something was bought, or the network has come back. */
export type CartFact = { type: 'cart.changed' };

type Context = ChangeQueue<CartChange> & {
  /** The server's last answer; null before it. */
  lines: CartLine[] | null;
};

/** A title that is pressed; `rest` is what goes out, or comes back, with it of the same campaign, what is bought before its rewards. */
type Pressed = { titleId: string; savedAt?: string; campaignId?: string; rest?: readonly CartLine[] };

type Events =
  | SessionChange
  | CartFact
  /** `savedAt` is given where a title that was removed comes back, and `campaignId` where it came from a campaign. */
  | ({ type: 'title.added' } & Pressed)
  | ({ type: 'title.removed' } & Pressed)
  | FailureAnswer;

type Shown = Pick<Context, 'lines' | 'sending' | 'waiting'>;

const shownLines = ({ lines, ...queue }: Shown): CartLine[] => withPending(lines, queue);

/** Whether a title is in the cart, as far as somebody who presses may know: a change counts before it is answered. */
export const isInCart = (context: Shown, titleId: string): boolean =>
  shownLines(context).some((line) => line.titleId === titleId);

/** What a press changes: what is in the cart already is not put in, and what is not there not taken out. */
const changesOf = (context: Shown, { titleId, savedAt, campaignId, rest }: Pressed, isSaved: boolean): CartChange[] =>
  [{ titleId, ...(savedAt === undefined ? {} : { savedAt }) }, ...(rest ?? [])]
    .filter((line) => isInCart(context, line.titleId) !== isSaved)
    .map((line) => ({
      ...(isSaved ? line : { titleId: line.titleId }),
      isSaved,
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(rest === undefined || isSaved ? {} : { ofCampaign: true as const }),
    }));

/** How many titles are in the cart. */
export const cartCount = (context: Shown): number => shownLines(context).length;

/** Whether the customer has taken a title out in this tab: its line stays, so that it can be put back. */
export const isTakenOut = ({ context }: SnapshotFrom<typeof cartLinesMachine>, titleId: string): boolean =>
  context.removed?.includes(titleId) === true && !isInCart(context, titleId);

const setupQueue = queueSetup<Context, CartChange, Events>({ lines: null });
const queue = queueStates({ read: 'readCart', send: 'changeCart', keep: 'keepLines', changed: 'cart.changed' });

/** What is in the cart, for every place that shows a title or the count: a visitor's in the browser, a customer's on the server. */
export const cartLinesMachine = setup({
  types: {} as { context: Context; events: Events; input: { signedIn: boolean } },
  actors: {
    /** The whole cart; at sign-in the browser's own has been joined to it. Rejects as any call. */
    readCart: requestPort<CartLine[], { signedIn: boolean }>(),
    /** Keeps changes and gives the whole cart; rejects as any call, and `refused cart_full` where there is no room. */
    changeCart: requestPort<CartLine[], { signedIn: boolean; changes: CartChange[] }>(),
    /** What other tabs and purchases do with the cart, and that it is worth asking again. */
    cartNews: channelPort<EventObject, CartFact>(),
  },
  actions: {
    ...setupQueue.actions,
    keepLines: assign({ lines: (_, lines: CartLine[]) => lines, sending: [] }),
  },
  delays: setupQueue.delays,
  guards: {
    ...setupQueue.guards,
    isChange: ({ context }, { pressed, isSaved }: { pressed: Pressed; isSaved: boolean }) =>
      changesOf(context, pressed, isSaved).length > 0,
  },
}).createMachine({
  id: 'cartLines',
  context: ({ input: { signedIn } }) => ({ signedIn, lines: null, ...emptyQueue }),
  invoke: { id: 'cartNews', src: 'cartNews' },
  initial: 'reading',
  on: {
    ...queue.onSession,
    'title.added': {
      guard: { type: 'isChange', params: ({ event }) => ({ pressed: event, isSaved: true }) },
      actions: { type: 'keepChanges', params: ({ context, event }) => changesOf(context, event, true) },
    },
    'title.removed': {
      guard: { type: 'isChange', params: ({ event }) => ({ pressed: event, isSaved: false }) },
      actions: { type: 'keepChanges', params: ({ context, event }) => changesOf(context, event, false) },
    },
    ...queue.onFailure,
  },
  states: { ...queue.states, resting: { ...queue.states.resting, meta: { spec: ['S3.cart-count'] } } },
});
