import type { AnyStateMachine } from 'xstate';
import { rulesFor, getSentEvents, type Rule } from '../../../paths/rules.ts';
import { mayContinue } from '../../../reading/connection.ts';
import type { interruptionMachine } from '../../../reading/interruption.ts';
import type { MachineRules } from '../../machine-rules.ts';

const player = rulesFor<AnyStateMachine>();
const interruption = rulesFor<typeof interruptionMachine>();

export const interruptionRules: MachineRules = {
  rules: [
    interruption.leadsTo('what did not come for lack of a connection is asked for again by itself', {
      after: ({ event, snapshot }) => event.type === 'interrupted' && mayContinue(snapshot),
      to: (moment) => getSentEvents(moment, 'continuation.wanted').length === 1 || moment.event.type === 'continued',
    }),
    interruption.never('what fails for another reason is asked for by nobody but the customer', {
      after: ({ event, snapshot }) => event.type === 'interrupted' && !mayContinue(snapshot),
      what: (moment) => moment.event.type !== 'continue.pressed' && getSentEvents(moment, 'continuation.wanted').length > 0,
      until: ({ event }) => event.type === 'interrupted' || event.type === 'continue.pressed',
    }),
    interruption.always('a device that is online again asks at once', (moment) => {
      const isAwaited = moment.event.type === 'connection.returned' && moment.before?.matches('waiting') === true;
      return (
        !isAwaited || !mayContinue(moment.before ?? moment.snapshot) || getSentEvents(moment, 'continuation.wanted').length === 1
      );
    }),
    interruption.always('a message that was closed comes back for another interruption alone', ({ before, event, snapshot }) => {
      const isBack = before?.context.isHidden === true && !snapshot.context.isHidden;
      return !isBack || snapshot.matches('none') || (event.type === 'interrupted' && !before.matches('trying'));
    }),
    interruption.invariant('it is said why a title does not continue, as long as it does not', ({ context, ...snapshot }) => {
      return (context.problem === null) === snapshot.matches('none');
    }),
  ],
  externalExits: { 'interruption.trying': 'a player answers within a minute, as each request of its engine has a limit' },
};

/** The rules of players that show an interruption. */
export const createInterruptionRules = (name: 'book' | 'tracks'): readonly Rule[] => [
  player.always('what does not come is told, and no longer once it has come', (moment) => {
    const { event, fired } = moment;
    if (fired.length === 0) return true;
    const told = (type: string) => getSentEvents(moment, type).length;
    if (event.type === `${name}.interrupted`) return told('interrupted') === 1;
    return event.type !== `${name}.continued` || told('continued') === 1;
  }),
  player.always('what did not come is asked for when that is wanted', (moment) => {
    const isWanted = moment.event.type === 'continuation.wanted' && moment.fired.length > 0;
    return !isWanted || getSentEvents(moment, `${name}.continue`).length === 1;
  }),
  player.always('a title that failed for lack of a connection opens when there is one', (moment) => {
    const returns = moment.event.type === 'connection.returned' && moment.before?.matches('failed') === true;
    return !returns || mayContinue(moment.before as never) !== moment.snapshot.matches('failed');
  }),
];
