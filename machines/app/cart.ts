import { assign, setup, type EventObject, type SnapshotFrom } from 'xstate';
import type { CartChange, CartLine } from '../model/cart.ts';
import type { SessionChange } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { applied, withChange } from '../model/wish-list.ts';
import { channelPort, outputIn, problemIn, requestPort } from '../ports.ts';

/** The cart may have changed: another tab says so, something was bought, or the network has come back. */
export type CartFact = { type: 'cart.changed' };

type Context = {
  signedIn: boolean;
  /** As last heard; null until that is known. */
  lines: CartLine[] | null;
  /** Changes under way, and those that wait for them. */
  sending: CartChange[];
  waiting: CartChange[];
  /** Changes that were not kept, and why. */
  failure: { changes: CartChange[]; problem: Problem } | null;
  /** What the customer has taken out in this tab, and not put back. */
  removed?: string[];
};

/** A title that is pressed; `rest` is what goes out, or comes back, with it of the same campaign, what is bought before its rewards. */
type Pressed = { titleId: string; savedAt?: string; campaignId?: string; rest?: readonly CartLine[] };

type Events =
  | SessionChange
  | CartFact
  /** `savedAt` is given where a title that was removed comes back, and `campaignId` where it came from a campaign. */
  | ({ type: 'title.added' } & Pressed)
  | ({ type: 'title.removed' } & Pressed)
  | { type: 'failure.retried' }
  | { type: 'failure.closed' };

type Shown = Pick<Context, 'lines' | 'sending' | 'waiting'>;

const shownLines = ({ lines, sending, waiting }: Shown): CartLine[] => applied(lines ?? [], [...sending, ...waiting]);

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
    startAnew: assign(({ context }, signedIn: boolean) => ({
      ...context,
      signedIn,
      lines: null,
      sending: [],
      waiting: [],
      failure: null,
      ...(context.removed === undefined ? {} : { removed: [] }),
    })),
    keepLines: assign({ lines: (_, lines: CartLine[]) => lines, sending: [] }),
    keepChanges: assign(({ context }, changes: CartChange[]) => {
      const changed = new Set(changes.map(({ titleId }) => titleId));
      const others = context.removed?.filter((each) => !changed.has(each));
      const out = changes.filter(({ isSaved }) => !isSaved).map(({ titleId }) => titleId);
      return {
        waiting: changes.reduce(withChange<CartChange>, context.waiting),
        failure: null,
        ...(out.length === 0 ? others && { removed: others } : { removed: [...(others ?? []), ...out] }),
      };
    }),
    keepFailed: assign({
      waiting: ({ context: { failure, waiting } }) => [...(failure?.changes ?? []), ...waiting],
      failure: null,
    }),
    send: assign({ sending: ({ context }) => context.waiting, waiting: [] }),
    keepFailure: assign({
      failure: ({ context }, problem: Problem) => ({ changes: context.sending, problem }),
      sending: [],
    }),
    dropFailure: assign({ failure: null }),
  },
  delays: { readAgain: 60_000 },
  guards: {
    hasWaiting: ({ context }) => context.waiting.length > 0,
    hasFailed: ({ context }) => context.failure !== null,
    isChange: ({ context }, { pressed, isSaved }: { pressed: Pressed; isSaved: boolean }) =>
      changesOf(context, pressed, isSaved).length > 0,
  },
}).createMachine({
  id: 'cartLines',
  context: ({ input: { signedIn } }) => ({ signedIn, lines: null, sending: [], waiting: [], failure: null }),
  invoke: { id: 'cartNews', src: 'cartNews' },
  initial: 'reading',
  on: {
    'session.changed': {
      target: '.reading',
      reenter: true,
      actions: { type: 'startAnew', params: ({ event }) => event.userId !== null },
    },
    'title.added': {
      guard: { type: 'isChange', params: ({ event }) => ({ pressed: event, isSaved: true }) },
      actions: { type: 'keepChanges', params: ({ context, event }) => changesOf(context, event, true) },
    },
    'title.removed': {
      guard: { type: 'isChange', params: ({ event }) => ({ pressed: event, isSaved: false }) },
      actions: { type: 'keepChanges', params: ({ context, event }) => changesOf(context, event, false) },
    },
    'failure.retried': { guard: 'hasFailed', actions: 'keepFailed' },
    'failure.closed': { guard: 'hasFailed', actions: 'dropFailure' },
  },
  states: {
    reading: {
      on: { 'cart.changed': { target: 'reading', reenter: true } },
      invoke: {
        id: 'readCart',
        src: 'readCart',
        input: ({ context: { signedIn } }) => ({ signedIn }),
        onDone: { target: 'resting', actions: { type: 'keepLines', params: outputIn } },
        // What is not known is not counted.
        onError: 'unread',
      },
    },
    resting: {
      meta: { spec: ['S3.cart-count'] },
      always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
      on: { 'cart.changed': 'reading' },
    },
    /** What the server has is not known, or not any more. A change is answered with the whole cart. */
    unread: {
      always: { guard: 'hasWaiting', target: 'sending', actions: 'send' },
      after: { readAgain: 'reading' },
      on: { 'cart.changed': 'reading' },
    },
    sending: {
      invoke: {
        id: 'changeCart',
        src: 'changeCart',
        input: ({ context: { signedIn, sending } }) => ({ signedIn, changes: sending }),
        onDone: { target: 'resting', actions: { type: 'keepLines', params: outputIn } },
        // An answer that was lost may have changed the cart.
        onError: { target: 'unread', actions: { type: 'keepFailure', params: problemIn } },
      },
    },
  },
});
