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
        'a title is given for nothing only if it costs nothing or the subscription opens it, and only to customers',
        (moment) => {
          const { context } = moment.snapshot;
          if (getPortInput(moment, 'grant') === undefined) return true;
          const isForNothing = context.title !== null && isFree(context.title) && context.title.forSale;
          return context.signedIn && (isForNothing || context.withSubscription);
        },
      ),
      title.always('nothing is given for nothing without a press, before sign-in or now', (moment) => {
        if (getPortInput(moment, 'grant') === undefined || ['buy.pressed', 'read.pressed'].includes(moment.event.type))
          return true;
        return moment.snapshot.context.resume === 'get';
      }),
      title.always('what is not for sale cannot be bought', (moment) => {
        return (
          moment.event.type !== 'buy.pressed' || moment.snapshot.context.title?.forSale === true || moment.effects.length === 0
        );
      }),
      title.always('what is read is the customer’s copy, of the title that is shown', (moment) => {
        const { instanceId } = moment.snapshot.context;
        if (moment.event.type === 'sample.pressed') return true;
        return getSentEvents(moment, 'go').every(
          ({ to }) => !String(to).startsWith('/viewer?') || to === viewerPath(instanceId ?? ''),
        );
      }),
      title.invariant(
        'what is shown as the customer’s own is no copy of a subscription, which ends',
        ({ context, ...snapshot }) => {
          return !snapshot.matches({ shown: { ownership: 'owned' } }) || !context.withSubscription;
        },
      ),
      title.leadsTo('what the subscription opens is opened, or a word why not', {
        after: (moment) => moment.snapshot.matches({ shown: { ownership: 'taking' } }),
        to: (moment) => !moment.snapshot.matches({ shown: { ownership: 'taking' } }),
      }),
      title.invariant('what is shown as the customer’s own is', ({ context, ...snapshot }) => {
        return !snapshot.matches({ shown: { ownership: 'owned' } }) || context.instanceId !== null;
      }),
      title.invariant(
        'what is shown is there',
        ({ context, ...snapshot }) => !snapshot.matches('shown') || context.title !== null,
      ),
      title.leadsTo('a free title that is wanted is given, or a word why not', {
        after: (moment) => getPortInput(moment, 'grant') !== undefined,
        to: (moment) =>
          !moment.snapshot.matches({ shown: { ownership: 'granting' } }) || getPortOutput(moment, 'grant') !== undefined,
      }),
      title.always('a title that could not be given is not lost: what is going on has begun and ended', (moment) => {
        const isIn = (snapshot: typeof moment.before): boolean =>
          snapshot?.matches({ shown: { ownership: 'granting' } }) === true;
        const [is, was] = [isIn(moment.snapshot), isIn(moment.before)];
        return (
          getSentEvents(moment, 'action.begun').length === (is && !was ? 1 : 0) &&
          getSentEvents(moment, 'action.ended').length === (was && !is ? 1 : 0)
        );
      }),
      title.leadsTo('a title that is asked for is shown, or a word why not', {
        after: (moment) => getPortInput(moment, 'title') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading') && !snapshot.matches('translating'),
      }),
    ],
    externalExits: {
      'title.notFound': 'the link “See all titles”',
      'title.shown.comments.loading': 'the place of the comments at the foot of the page, for which nobody waits',
    },
  },
  sharing: {
    rules: [
      sharing.always('what is shared is this title', (moment) => {
        const asked = getPortInput<{ link: string }>(moment, 'share') ?? getPortInput<{ link: string }>(moment, 'copy');
        return asked === undefined || (asked.link !== '' && asked.link === moment.snapshot.context.link);
      }),
      sharing.never('a link that was not copied is not said to be', {
        after: ({ event }) => event.type === 'copy.pressed',
        what: ({ snapshot }) => snapshot.matches({ ready: 'copied' }),
        until: (moment) => getPortOutput(moment, 'copy') !== undefined,
      }),
    ],
    externalExits: {
      'sharing.sharing': 'the browser’s own sheet, until the customer closes it',
      'sharing.copying': 'the browser, which may ask the customer first',
    },
  },
};
