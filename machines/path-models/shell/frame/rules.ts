import { isInCart, type cartLinesMachine } from '../../../app/cart.ts';
import type { ownCreditsMachine } from '../../../app/own-credits.ts';
import type { frameMachine } from '../../../app/frame.ts';
import type { ownedTitlesMachine } from '../../../app/owned-titles.ts';
import type { searchBoxMachine } from '../../../app/search-box.ts';
import type { wishesMachine } from '../../../app/wish-list.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const frame = rulesFor<typeof frameMachine>();

const frameRules: MachineRules = {
  rules: [
    frame.always('a change of the session resets the subscription', ({ event, snapshot }) => {
      const { subscribed, data } = snapshot.context.subscription;
      return event.type !== 'session.changed' || (!subscribed && data === null);
    }),
    frame.always('the machines of the customer’s titles, wishes, cart and credits receive every session change', (moment) => {
      if (moment.event.type !== 'session.changed') return true;
      const receivers = moment.effects.flatMap((effect) => (effect.kind === 'send' ? [effect.to] : []));
      return ['ownedTitles', 'wishes', 'cartLines', 'ownCredits'].every((each) => receivers.includes(each));
    }),
    frame.always('signedIn follows the session', ({ event, snapshot }) => {
      return event.type !== 'session.changed' || snapshot.context.signedIn === (event['userId'] !== null);
    }),
    frame.always('the subscription is requested only for a signed-in customer', (moment) => {
      return getPortInput(moment, 'subscriptionStatus') === undefined || moment.snapshot.context.signedIn;
    }),
    frame.invariant('the state subscribed is active exactly for a subscribed customer', ({ context, ...snapshot }) => {
      return context.subscription.subscribed === snapshot.matches({ subscription: 'subscribed' });
    }),
    frame.always('a chosen appearance is stored and sent as look.changed', (moment) => {
      if (moment.event.type !== 'look.chosen' || moment.fired.length === 0) return true;
      const appearanceText = JSON.stringify(moment.event['appearance']);
      const sentTexts = getSentEvents(moment, 'look.changed').map(({ appearance }) => JSON.stringify(appearance));
      return sentTexts.includes(appearanceText) && JSON.stringify(getPortInput(moment, 'saveAppearance')) === appearanceText;
    }),
    frame.leadsTo('an accepted cookie notice disappears even if the consent cannot be stored', {
      after: ({ event, fired }) => event.type === 'consent.given' && fired.length > 0,
      to: ({ snapshot }) => snapshot.matches({ cookies: 'quiet' }),
    }),
  ],
};

const owned = rulesFor<typeof ownedTitlesMachine>();

const ownedRules: MachineRules = {
  rules: [
    owned.always('a change of the session clears the owned titles', ({ event, snapshot }) => {
      return event.type !== 'session.changed' || Object.keys(snapshot.context.copies).length === 0;
    }),
    owned.invariant(
      'a visitor owns nothing',
      ({ context, value }) => value !== 'visitor' || Object.keys(context.copies).length === 0,
    ),
    owned.always('a granted title reloads a customer’s copies', (moment) => {
      const isReceived = moment.event.type === 'title.granted' && moment.before?.matches('customer') === true;
      return !isReceived || getPortInput(moment, 'ownedCopies') !== undefined;
    }),
  ],
};

const wishes = rulesFor<typeof wishesMachine>();

const wishesRules: MachineRules = {
  rules: [
    wishes.always('a change of the session clears the wishes and their pending changes', ({ event, snapshot: { context } }) => {
      if (event.type !== 'session.changed') return true;
      return context.wishes === null && context.sending.length + context.waiting.length === 0 && context.failure === null;
    }),
    wishes.always('requests for the wish list have the current sign-in state', (moment) => {
      const input =
        getPortInput<{ signedIn: boolean }>(moment, 'readWishes') ?? getPortInput<{ signedIn: boolean }>(moment, 'changeWishes');
      return input === undefined || input.signedIn === moment.snapshot.context.signedIn;
    }),
    wishes.always('a failed change of the wish list is reported', ({ event, before, snapshot }) => {
      if (event.type !== 'xstate.error.actor.changeWishes') return true;
      return JSON.stringify(snapshot.context.failure?.changes) === JSON.stringify(before?.context.sending);
    }),
    wishes.leadsTo('every toggled wish is eventually sent', {
      after: ({ event }) => event.type === 'wish.toggled',
      to: ({ snapshot: { context } }) => context.waiting.length === 0,
    }),
    wishes.always('a request to change the wish list has all changes that are being sent', (moment) => {
      const input = getPortInput<{ changes: unknown[] }>(moment, 'changeWishes');
      const { sending } = moment.snapshot.context;
      return input === undefined || (sending.length > 0 && JSON.stringify(input.changes) === JSON.stringify(sending));
    }),
  ],
};

const cart = rulesFor<typeof cartLinesMachine>();

const cartRules: MachineRules = {
  rules: [
    cart.always('a change of the session clears the cart and its pending changes', ({ event, snapshot: { context } }) => {
      if (event.type !== 'session.changed') return true;
      return context.lines === null && context.sending.length + context.waiting.length === 0 && context.failure === null;
    }),
    cart.always('requests for the cart have the current sign-in state', (moment) => {
      const input =
        getPortInput<{ signedIn: boolean }>(moment, 'readCart') ?? getPortInput<{ signedIn: boolean }>(moment, 'changeCart');
      return input === undefined || input.signedIn === moment.snapshot.context.signedIn;
    }),
    cart.always('an added title is in the cart at once, and a removed one is not', (moment) => {
      const { event, snapshot } = moment;
      if (event.type !== 'title.added' && event.type !== 'title.removed') return true;
      return isInCart(snapshot.context, event['titleId'] as string) === (event.type === 'title.added');
    }),
    cart.always('a failed change of the cart is reported', ({ event, before, snapshot }) => {
      if (event.type !== 'xstate.error.actor.changeCart') return true;
      return JSON.stringify(snapshot.context.failure?.changes) === JSON.stringify(before?.context.sending);
    }),
    cart.leadsTo('every added or removed title is eventually sent', {
      after: ({ event }) => event.type === 'title.added' || event.type === 'title.removed',
      to: ({ snapshot: { context } }) => context.waiting.length === 0,
    }),
    cart.always('a request to change the cart has all changes that are being sent', (moment) => {
      const input = getPortInput<{ changes: unknown[] }>(moment, 'changeCart');
      const { sending } = moment.snapshot.context;
      return input === undefined || (sending.length > 0 && JSON.stringify(input.changes) === JSON.stringify(sending));
    }),
  ],
};

const credits = rulesFor<typeof ownCreditsMachine>();

const creditsRules: MachineRules = {
  rules: [
    credits.always('a change of the session clears the credits', ({ event, snapshot: { context } }) => {
      return event.type !== 'session.changed' || (!context.isKnown && context.balance === 0 && context.currency === '');
    }),
    credits.always('the number of credits becomes known only by the server’s answer', (moment) => {
      const { before, snapshot } = moment;
      if (!snapshot.context.isKnown || before?.context.isKnown === true) return true;
      return (getPortOutput(moment, 'creditBalance') as { balance: number } | undefined)?.balance === snapshot.context.balance;
    }),
    credits.always('credits are requested only for a customer of a store that takes them', (moment) => {
      const { takesCredits, signedIn } = moment.snapshot.context;
      return getPortInput(moment, 'creditBalance') === undefined || (takesCredits && signedIn);
    }),
    credits.always('credits.changed reloads a customer’s credits', (moment) => {
      const isReceived = moment.event.type === 'credits.changed' && moment.before?.matches('customer') === true;
      return !isReceived || getPortInput(moment, 'creditBalance') !== undefined;
    }),
  ],
};

const search = rulesFor<typeof searchBoxMachine>();

const searchRules: MachineRules = {
  rules: [
    search.invariant('suggestions exist exactly while they are offered or the next are awaited', ({ context, value }) => {
      return context.suggestions.length > 0 === (value === 'offering') || value === 'typing' || value === 'asking';
    }),
    search.always('suggestions are requested for the typed text', (moment) => {
      const input = getPortInput<{ pii: { typed: string } }>(moment, 'suggestions');
      return input === undefined || input.pii.typed === moment.snapshot.context.pii.typed;
    }),
    search.always('suggestions are offered only when their answer arrives', (moment) => {
      return (
        !moment.snapshot.matches('offering') ||
        moment.before?.matches('offering') === true ||
        getPortOutput(moment, 'suggestions') !== undefined
      );
    }),
    search.always('a chosen suggestion, and nothing else, navigates to its path', (moment) => {
      const isChosen = moment.event.type === 'suggestion.chosen' && moment.fired.length > 0;
      return (
        getSentEvents(moment, 'go').length === (isChosen ? 1 : 0) &&
        getSentEvents(moment, 'go').every(({ to }) => to === moment.event['path'])
      );
    }),
    search.invariant('the active suggestion is in the list', ({ context: { active, suggestions } }) => {
      return active === null || (active >= 0 && active < suggestions.length);
    }),
  ],
  pii: { searchBox: 'the field shows the typed text' },
};

export const rules: Record<string, MachineRules> = {
  frame: frameRules,
  ownedTitles: ownedRules,
  wishes: wishesRules,
  cartLines: cartRules,
  ownCredits: creditsRules,
  searchBox: searchRules,
};
