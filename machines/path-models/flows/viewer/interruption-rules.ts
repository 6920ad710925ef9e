import type { AnyStateMachine } from 'xstate';
import { rulesFor, getSentEvents, type Rule } from '../../../paths/rules.ts';
import { mayContinue } from '../../../reading/connection.ts';
import type { interruptionMachine } from '../../../reading/interruption.ts';
import type { MachineRules } from '../../machine-rules.ts';

const player = rulesFor<AnyStateMachine>();
const interruption = rulesFor<typeof interruptionMachine>();

export const interruptionRules: MachineRules = {
  rules: [
    interruption.leadsTo('content that failed without a connection is requested again without a press', {
      after: ({ event, snapshot }) => event.type === 'interrupted' && mayContinue(snapshot),
      to: (moment) => getSentEvents(moment, 'continuation.requested').length === 1 || moment.event.type === 'continued',
    }),
    interruption.never('content that failed for another reason is requested again only after a press', {
      after: ({ event, snapshot }) => event.type === 'interrupted' && !mayContinue(snapshot),
      what: (moment) => moment.event.type !== 'continue.pressed' && getSentEvents(moment, 'continuation.requested').length > 0,
      until: ({ event }) => event.type === 'interrupted' || event.type === 'continue.pressed',
    }),
    interruption.always('a device that is online again requests the content at once', (moment) => {
      const isAwaited = moment.event.type === 'connection.returned' && moment.before?.matches('waiting') === true;
      return (
        !isAwaited ||
        !mayContinue(moment.before ?? moment.snapshot) ||
        getSentEvents(moment, 'continuation.requested').length === 1
      );
    }),
    interruption.always('a closed message reappears only for another interruption', ({ before, event, snapshot }) => {
      const reappears = before?.context.isHidden === true && !snapshot.context.isHidden;
      return !reappears || snapshot.matches('none') || (event.type === 'interrupted' && !before.matches('trying'));
    }),
    interruption.invariant('a problem is kept exactly while a title is interrupted', ({ context, ...snapshot }) => {
      return (context.problem === null) === snapshot.matches('none');
    }),
  ],
  externalExits: { 'interruption.trying': 'a player answers within a minute, as each request of its engine has a limit' },
};

/** Creates the rules of a player that can be interrupted. */
export const createInterruptionRules = (name: 'book' | 'tracks'): readonly Rule[] => [
  player.always('each interruption and each continuation is sent to the interruption machine', (moment) => {
    const { event, fired } = moment;
    if (fired.length === 0) return true;
    const countSent = (type: string) => getSentEvents(moment, type).length;
    if (event.type === `${name}.interrupted`) return countSent('interrupted') === 1;
    return event.type !== `${name}.continued` || countSent('continued') === 1;
  }),
  player.always('continuation.requested makes the player continue', (moment) => {
    const isRequested = moment.event.type === 'continuation.requested' && moment.fired.length > 0;
    return !isRequested || getSentEvents(moment, `${name}.continue`).length === 1;
  }),
  player.always('a title that failed without a connection opens again when the connection returns', (moment) => {
    const isConnectionBack = moment.event.type === 'connection.returned' && moment.before?.matches('failed') === true;
    return !isConnectionBack || mayContinue(moment.before as never) !== moment.snapshot.matches('failed');
  }),
];
