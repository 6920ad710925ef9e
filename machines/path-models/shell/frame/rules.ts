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
    frame.always('a new session begins without a subscription, and signing out sets it back', ({ event, snapshot }) => {
      const { subscribed, data } = snapshot.context.subscription;
      return event.type !== 'session.changed' || (!subscribed && data === null);
    }),
    frame.always('what is the customer’s hears of every change of the session', (moment) => {
      if (moment.event.type !== 'session.changed') return true;
      const hearers = moment.effects.flatMap((effect) => (effect.kind === 'send' ? [effect.to] : []));
      return ['ownedTitles', 'wishes', 'cartLines', 'ownCredits'].every((each) => hearers.includes(each));
    }),
    frame.always('who is signed in is who the session says', ({ event, snapshot }) => {
      return event.type !== 'session.changed' || snapshot.context.signedIn === (event['userId'] !== null);
    }),
    frame.always('only a customer is asked about for a subscription', (moment) => {
      return getPortInput(moment, 'subscriptionStatus') === undefined || moment.snapshot.context.signedIn;
    }),
    frame.invariant('the offer to subscribe is the inverse of having subscribed', ({ context, ...snapshot }) => {
      return context.subscription.subscribed === snapshot.matches({ subscription: 'subscribed' });
    }),
    frame.always('the look that is chosen is kept, and shown everywhere', (moment) => {
      if (moment.event.type !== 'look.chosen' || moment.fired.length === 0) return true;
      const wanted = JSON.stringify(moment.event['appearance']);
      const told = getSentEvents(moment, 'look.changed').map(({ appearance }) => JSON.stringify(appearance));
      return told.includes(wanted) && JSON.stringify(getPortInput(moment, 'keepAppearance')) === wanted;
    }),
    frame.leadsTo('a notice of cookies that was agreed to goes, whatever the storage says', {
      after: ({ event, fired }) => event.type === 'consent.given' && fired.length > 0,
      to: ({ snapshot }) => snapshot.matches({ cookies: 'quiet' }),
    }),
  ],
};

const owned = rulesFor<typeof ownedTitlesMachine>();

const ownedRules: MachineRules = {
  rules: [
    owned.always('nothing of a customer is known after a change of the session', ({ event, snapshot }) => {
      return event.type !== 'session.changed' || Object.keys(snapshot.context.copies).length === 0;
    }),
    owned.invariant(
      'a visitor owns nothing',
      ({ context, value }) => value !== 'visitor' || Object.keys(context.copies).length === 0,
    ),
    owned.always('a title that was just bought is asked about', (moment) => {
      const isHeard = moment.event.type === 'title.granted' && moment.before?.matches('customer') === true;
      return !isHeard || getPortInput(moment, 'ownedCopies') !== undefined;
    }),
  ],
};

const wishes = rulesFor<typeof wishesMachine>();

const wishesRules: MachineRules = {
  rules: [
    wishes.always('nothing of a customer is known after a change of the session', ({ event, snapshot: { context } }) => {
      if (event.type !== 'session.changed') return true;
      return context.wishes === null && context.sending.length + context.waiting.length === 0 && context.failure === null;
    }),
    wishes.always('the list is asked for as whoever is here', (moment) => {
      const asked =
        getPortInput<{ signedIn: boolean }>(moment, 'readWishes') ?? getPortInput<{ signedIn: boolean }>(moment, 'changeWishes');
      return asked === undefined || asked.signedIn === moment.snapshot.context.signedIn;
    }),
    wishes.always('a change that was not kept is told', ({ event, before, snapshot }) => {
      if (event.type !== 'xstate.error.actor.changeWishes') return true;
      return JSON.stringify(snapshot.context.failure?.changes) === JSON.stringify(before?.context.sending);
    }),
    wishes.leadsTo('every press on a heart is sent', {
      after: ({ event }) => event.type === 'wish.toggled',
      to: ({ snapshot: { context } }) => context.waiting.length === 0,
    }),
    wishes.always('changes go out as they were made', (moment) => {
      const asked = getPortInput<{ changes: unknown[] }>(moment, 'changeWishes');
      return asked === undefined || (asked.changes.length > 0 && asked.changes.length === moment.snapshot.context.sending.length);
    }),
  ],
};

const cart = rulesFor<typeof cartLinesMachine>();

const cartRules: MachineRules = {
  rules: [
    cart.always('nothing of a customer is known after a change of the session', ({ event, snapshot: { context } }) => {
      if (event.type !== 'session.changed') return true;
      return context.lines === null && context.sending.length + context.waiting.length === 0 && context.failure === null;
    }),
    cart.always('the cart is asked for as whoever is here', (moment) => {
      const asked =
        getPortInput<{ signedIn: boolean }>(moment, 'readCart') ?? getPortInput<{ signedIn: boolean }>(moment, 'changeCart');
      return asked === undefined || asked.signedIn === moment.snapshot.context.signedIn;
    }),
    cart.always('what is added is in the cart at once, what is removed is not, however often it is pressed', (moment) => {
      const { event, snapshot } = moment;
      if (event.type !== 'title.added' && event.type !== 'title.removed') return true;
      return isInCart(snapshot.context, event['titleId'] as string) === (event.type === 'title.added');
    }),
    cart.always('a change that was not kept is told', ({ event, before, snapshot }) => {
      if (event.type !== 'xstate.error.actor.changeCart') return true;
      return JSON.stringify(snapshot.context.failure?.changes) === JSON.stringify(before?.context.sending);
    }),
    cart.leadsTo('every press is sent', {
      after: ({ event }) => event.type === 'title.added' || event.type === 'title.removed',
      to: ({ snapshot: { context } }) => context.waiting.length === 0,
    }),
    cart.always('changes go out as they were made', (moment) => {
      const asked = getPortInput<{ changes: unknown[] }>(moment, 'changeCart');
      return asked === undefined || (asked.changes.length > 0 && asked.changes.length === moment.snapshot.context.sending.length);
    }),
  ],
};

const credits = rulesFor<typeof ownCreditsMachine>();

const creditsRules: MachineRules = {
  rules: [
    credits.always('a change of the session sets the credits to 0, without a currency', ({ event, snapshot: { context } }) => {
      return event.type !== 'session.changed' || (!context.isKnown && context.balance === 0 && context.currency === '');
    }),
    credits.always('a number is shown only as the server has said it', (moment) => {
      const { before, snapshot } = moment;
      if (!snapshot.context.isKnown || before?.context.isKnown === true) return true;
      return (getPortOutput(moment, 'creditBalance') as { balance: number } | undefined)?.balance === snapshot.context.balance;
    }),
    credits.always('nobody is asked for credits but a customer of a store that takes them', (moment) => {
      const { takesCredits, signedIn } = moment.snapshot.context;
      return getPortInput(moment, 'creditBalance') === undefined || (takesCredits && signedIn);
    }),
    credits.always('a customer’s credits are asked for again when they may have changed', (moment) => {
      const isHeard = moment.event.type === 'credits.changed' && moment.before?.matches('customer') === true;
      return !isHeard || getPortInput(moment, 'creditBalance') !== undefined;
    }),
  ],
};

const search = rulesFor<typeof searchBoxMachine>();

const searchRules: MachineRules = {
  rules: [
    search.invariant('there are suggestions only while they are offered', ({ context, value }) => {
      return context.suggestions.length > 0 === (value === 'offering') || value === 'typing' || value === 'asking';
    }),
    search.always('suggestions are asked for what is typed', (moment) => {
      const asked = getPortInput<{ pii: { typed: string } }>(moment, 'suggestions');
      return asked === undefined || asked.pii.typed === moment.snapshot.context.pii.typed;
    }),
    search.always('what comes too late is not offered', (moment) => {
      return (
        !moment.snapshot.matches('offering') ||
        moment.before?.matches('offering') === true ||
        getPortOutput(moment, 'suggestions') !== undefined
      );
    }),
    search.always('whoever chooses a suggestion goes there', (moment) => {
      const isChosen = moment.event.type === 'suggestion.chosen' && moment.fired.length > 0;
      return (
        getSentEvents(moment, 'go').length === (isChosen ? 1 : 0) &&
        getSentEvents(moment, 'go').every(({ to }) => to === moment.event['path'])
      );
    }),
    search.invariant('the suggestion that is marked is there', ({ context: { active, suggestions } }) => {
      return active === null || (active >= 0 && active < suggestions.length);
    }),
  ],
  pii: { searchBox: 'the field shows what is typed' },
};

export const rules: Record<string, MachineRules> = {
  frame: frameRules,
  ownedTitles: ownedRules,
  wishes: wishesRules,
  cartLines: cartRules,
  ownCredits: creditsRules,
  searchBox: searchRules,
};
