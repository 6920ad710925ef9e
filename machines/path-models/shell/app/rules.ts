import { type appMachine, isSignedIn } from '../../../app/app.ts';
import { getPortInput, rulesFor, type MomentOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof appMachine>();

/** The recipients of this step's event. */
const getReceivers = ({ effects, event }: MomentOf<typeof appMachine>): string[] =>
  effects.flatMap((effect) => (effect.kind === 'send' && effect.event.type === event.type ? [effect.to] : []));

const isForwarded = (moment: MomentOf<typeof appMachine>, types: readonly string[], by: string): boolean =>
  !types.includes(moment.event.type) || moment.before?.matches('open') !== true || getReceivers(moment).includes(by);

export const rules: Record<string, MachineRules> = {
  app: {
    rules: [
      invariant('the shop is open only when store, address and customer are known', ({ context, ...snapshot }) => {
        return !snapshot.matches('open') || (context.store !== null && context.route !== null && context.session !== null);
      }),
      always('every change of the session reaches the screen, so that nothing of a customer stays', (moment) => {
        return isForwarded(
          moment,
          ['session.changed', 'location.changed', 'language.changed', 'page.hidden', 'page.returned'],
          'screen',
        );
      }),
      always('every change of the session reaches the frame, which forgets what was the customer’s', (moment) => {
        return moment.before?.context.hasFrame !== true || isForwarded(moment, ['session.changed'], 'frame');
      }),
      always('signing in and out is the session’s own business', (moment) => {
        return isForwarded(moment, ['session.started', 'session.refused', 'signOut.pressed'], 'session');
      }),
      always('a frame that comes late knows who is signed in', (moment) => {
        const asked = getPortInput<{ signedIn: boolean }>(moment, 'frame');
        return asked === undefined || asked.signedIn === isSignedIn(moment.snapshot.context.session);
      }),
      always('a store that is none shows nothing but that', (moment) => {
        const { snapshot, before, effects } = moment;
        if (!snapshot.matches('invalid') || before?.matches('invalid') === true) return true;
        return effects.some((effect) => effect.kind === 'send' && effect.to === 'location' && effect.event['to'] === '/invalid');
      }),
      always('a store that the server refuses is none', ({ event, before, snapshot }) => {
        return event.type !== 'store.refused' || before?.matches('open') !== true || snapshot.matches('invalid');
      }),
    ],
    externalExits: { 'app.invalid': 'the page says whom to write to' },
  },
};
