import { type appMachine, isSignedIn } from '../../../app/app.ts';
import { getPortInput, rulesFor, type MomentOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof appMachine>();

/** The ids of the actors to which the event of this step is forwarded. */
const getRecipients = ({ effects, event }: MomentOf<typeof appMachine>): string[] =>
  effects.flatMap((effect) => (effect.kind === 'send' && effect.event.type === event.type ? [effect.to] : []));

const isForwardedTo = (moment: MomentOf<typeof appMachine>, types: readonly string[], recipient: string): boolean =>
  !types.includes(moment.event.type) || moment.before?.matches('open') !== true || getRecipients(moment).includes(recipient);

export const rules: Record<string, MachineRules> = {
  app: {
    rules: [
      invariant('the app opens only once store, route and session are known', ({ context, ...snapshot }) => {
        return !snapshot.matches('open') || (context.store !== null && context.route !== null && context.session !== null);
      }),
      always('the screen receives each change of session, location, language and page visibility', (moment) => {
        return isForwardedTo(
          moment,
          ['session.changed', 'location.changed', 'language.changed', 'page.hidden', 'page.returned'],
          'screen',
        );
      }),
      always('every change of the session reaches the frame', (moment) => {
        return moment.before?.context.hasFrame !== true || isForwardedTo(moment, ['session.changed'], 'frame');
      }),
      always('the session machine receives each sign-in, sign-out and refused session', (moment) => {
        return isForwardedTo(moment, ['session.started', 'session.refused', 'signOut.pressed'], 'session');
      }),
      always('the frame starts with the current sign-in state', (moment) => {
        const input = getPortInput<{ signedIn: boolean }>(moment, 'frame');
        return input === undefined || input.signedIn === isSignedIn(moment.snapshot.context.session);
      }),
      always('an invalid store leads to /invalid', (moment) => {
        const { snapshot, before, effects } = moment;
        if (!snapshot.matches('invalid') || before?.matches('invalid') === true) return true;
        return effects.some((effect) => effect.kind === 'send' && effect.to === 'location' && effect.event['to'] === '/invalid');
      }),
      always('a store that the server refuses counts as invalid', ({ event, before, snapshot }) => {
        return event.type !== 'store.refused' || before?.matches('open') !== true || snapshot.matches('invalid');
      }),
    ],
    externalExits: { 'app.invalid': 'the page shows the support address' },
  },
};
