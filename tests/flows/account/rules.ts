import type { deletionMachine } from '../../../machines/account/deletion.ts';
import type { devicesMachine } from '../../../machines/account/devices.ts';
import type { accountMachine } from '../../../machines/account/account.ts';
import { answerOf, askedOf, rulesFor } from '../../../machines/paths/rules.ts';
import { sentFormRules } from '../../support/form-rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { invariant, leadsTo } = rulesFor<typeof accountMachine>();
const devices = rulesFor<typeof devicesMachine>();
const deletion = rulesFor<typeof deletionMachine>();

export const rules: Record<string, MachineRules> = {
  account: {
    rules: [
      leadsTo('an account comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('what is shown has purchases', ({ value, context }) => value !== 'shown' || context.purchases.length > 0),
    ],
  },
  deletion: {
    rules: [
      ...sentFormRules({ event: 'deletion', port: 'deleteAccount', sending: 'deleting' }),
      deletion.onlyAfter('an account is only deleted by a press that asked for it, with the password', {
        cause: ({ event, before }) => event.type === 'deletion.submitted' && before?.matches('asking') === true,
        what: (moment) => askedOf(moment, 'deleteAccount') !== undefined,
        each: true,
      }),
      deletion.onlyAfter('an account is only said to be deleted when the server has deleted it', {
        cause: (moment) => answerOf(moment, 'deleteAccount') !== undefined,
        what: ({ snapshot }) => snapshot.matches('gone'),
      }),
      deletion.always('an account that is deleted is said to be', (moment) => {
        return answerOf(moment, 'deleteAccount') === undefined || moment.snapshot.matches('gone');
      }),
      deletion.invariant('who begins anew sees nothing of what went wrong before', ({ value, context }) => {
        return value !== 'closed' || (context.problem === null && Object.keys(context.fields).length === 0);
      }),
    ],
    pii: { 'deletion.deleting': 'the password is on its way to the server' },
  },
  devices: {
    rules: [
      devices.leadsTo('devices come, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      devices.always('a device goes when the server has signed it out, and only then', (moment) => {
        const before = moment.before?.context.devices ?? [];
        const gone = before.filter(({ id }) => !moment.snapshot.context.devices.some((each) => each.id === id));
        const removed = answerOf(moment, 'removeDevice') === undefined ? [] : [moment.before?.context.removing];
        return JSON.stringify(gone.map(({ id }) => id)) === JSON.stringify(removed);
      }),
      devices.always('the server is asked about the device that was pressed, and never about this one', (moment) => {
        const asked = askedOf<{ deviceId: string }>(moment, 'removeDevice');
        if (asked === undefined) return true;
        const isThis = moment.before?.context.devices.find(({ id }) => id === asked.deviceId)?.isThis;
        return asked.deviceId === moment.event['deviceId'] && isThis === false;
      }),
      devices.always('what the server refused is told, and the device stays', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.removeDevice' || snapshot.context.problem !== null;
      }),
      devices.invariant('one device at a time is being signed out', ({ value, context }) => {
        return (value === 'removing') === (context.removing !== null);
      }),
      devices.leadsTo('every press is answered', {
        after: ({ snapshot }) => snapshot.matches('removing'),
        to: ({ snapshot }) => snapshot.matches('shown'),
      }),
    ],
  },
};
