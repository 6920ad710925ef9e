import type { titleMachine } from '../../../browsing/title.ts';
import type { sharingMachine } from '../../../browsing/sharing.ts';
import { viewerPath } from '../../../model/paths.ts';
import { isFree } from '../../../model/catalogue/price.ts';
import { getPortOutput, getPortInput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const title = rulesFor<typeof titleMachine>();
const sharing = rulesFor<typeof sharingMachine>();

export const rules: Record<string, MachineRules> = {
  title: {
    rules: [
      title.always(
        'a title is granted without payment only if it is free or in the subscription, and only to a customer',
        (moment) => {
          const { context } = moment.snapshot;
          if (getPortInput(moment, 'grant') === undefined) return true;
          const isFreeForSale = context.title !== null && isFree(context.title) && context.title.forSale;
          return context.signedIn && (isFreeForSale || context.withSubscription);
        },
      ),
      title.always('a title is granted without payment only after a press, now or before sign-in', (moment) => {
        if (getPortInput(moment, 'grant') === undefined || ['buy.pressed', 'read.pressed'].includes(moment.event.type))
          return true;
        return moment.snapshot.context.resume === 'get';
      }),
      title.always('a title that is not for sale cannot be bought', (moment) => {
        return (
          moment.event.type !== 'buy.pressed' || moment.snapshot.context.title?.forSale === true || moment.effects.length === 0
        );
      }),
      title.always('the viewer opens the customer’s copy of the shown title', (moment) => {
        const { instanceId } = moment.snapshot.context;
        if (moment.event.type === 'sample.pressed') return true;
        return getSentEvents(moment, 'go').every(
          ({ to }) => !String(to).startsWith('/viewer?') || to === viewerPath(instanceId ?? ''),
        );
      }),
      title.invariant('a copy of a subscription is never shown as owned', ({ context, ...snapshot }) => {
        return !snapshot.matches({ shown: { ownership: 'owned' } }) || !context.withSubscription;
      }),
      title.leadsTo('the request for a copy of the subscription ends', {
        after: (moment) => moment.snapshot.matches({ shown: { ownership: 'taking' } }),
        to: (moment) => !moment.snapshot.matches({ shown: { ownership: 'taking' } }),
      }),
      title.invariant('a title that is shown as owned has a copy', ({ context, ...snapshot }) => {
        return !snapshot.matches({ shown: { ownership: 'owned' } }) || context.instanceId !== null;
      }),
      title.invariant(
        'a shown title has its data',
        ({ context, ...snapshot }) => !snapshot.matches('shown') || context.title !== null,
      ),
      title.leadsTo('every grant of a free title ends', {
        after: (moment) => getPortInput(moment, 'grant') !== undefined,
        to: (moment) =>
          !moment.snapshot.matches({ shown: { ownership: 'granting' } }) || getPortOutput(moment, 'grant') !== undefined,
      }),
      title.always('granting sends action.started at its start and action.ended at its end', (moment) => {
        const isGrantingIn = (snapshot: typeof moment.before): boolean =>
          snapshot?.matches({ shown: { ownership: 'granting' } }) === true;
        const [isGranting, wasGranting] = [isGrantingIn(moment.snapshot), isGrantingIn(moment.before)];
        return (
          getSentEvents(moment, 'action.started').length === (isGranting && !wasGranting ? 1 : 0) &&
          getSentEvents(moment, 'action.ended').length === (wasGranting && !isGranting ? 1 : 0)
        );
      }),
      title.leadsTo('a title loads or its failure is shown', {
        after: (moment) => getPortInput(moment, 'title') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading') && !snapshot.matches('translating'),
      }),
    ],
    externalExits: {
      'title.notFound': 'the link “See all titles”',
      'title.shown.comments.loading': 'the comments at the foot of the page, for which nothing waits',
    },
  },
  sharing: {
    rules: [
      sharing.always('the shared link is that of the title', (moment) => {
        const input = getPortInput<{ link: string }>(moment, 'share') ?? getPortInput<{ link: string }>(moment, 'copy');
        return input === undefined || (input.link !== '' && input.link === moment.snapshot.context.link);
      }),
      sharing.never('a link is shown as copied only after it was copied', {
        after: ({ event }) => event.type === 'copy.pressed',
        what: ({ snapshot }) => snapshot.matches({ ready: 'copied' }),
        until: (moment) => getPortOutput(moment, 'copy') !== undefined,
      }),
    ],
    externalExits: {
      'sharing.sharing': 'the browser’s share dialog, until the customer closes it',
      'sharing.copying': 'the browser, which may ask the customer for permission',
    },
  },
};
