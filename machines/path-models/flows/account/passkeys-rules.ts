import type { passkeysMachine } from '../../../account/passkeys.ts';
import type { AddedPasskey, Passkey, Passkeys } from '../../../model/account/passkey.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof passkeysMachine>();

/** The rules of an account's passkeys. */
export const passkeysRules: MachineRules = {
  rules: [
    leadsTo('passkeys come, or a word why not', {
      after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
      to: ({ snapshot }) => !snapshot.matches('loading'),
    }),
    always('the passkeys that are shown are those that the server has told of last', (moment) => {
      const told =
        getPortOutput<Passkeys | null>(moment, 'loadPasskeys')?.passkeys ??
        getPortOutput<AddedPasskey>(moment, 'addPasskey')?.passkeys ??
        getPortOutput<Passkey[]>(moment, 'renamePasskey') ??
        getPortOutput<Passkey[]>(moment, 'removePasskey') ??
        moment.before?.context.passkeys ??
        [];
      return JSON.stringify(moment.snapshot.context.passkeys) === JSON.stringify(told);
    }),
    onlyAfter('a device is only asked for a passkey by a press, in a browser that can make one', {
      cause: ({ event, before }) => event.type === 'add.pressed' && before?.context.canAdd === true,
      what: (moment) => getPortInput(moment, 'addPasskey') !== undefined,
      each: true,
    }),
    onlyAfter('a passkey is only deleted by a yes to the question', {
      cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
      what: (moment) => getPortInput(moment, 'removePasskey') !== undefined,
      each: true,
    }),
    always('the question is about the passkey that was pressed, and so is the deletion', (moment) => {
      const { event, before, snapshot } = moment;
      if (before?.matches('shown') && snapshot.matches('asking')) return snapshot.context.chosen === event['passkeyId'];
      const asked = getPortInput<{ passkeyId: string }>(moment, 'removePasskey');
      return asked === undefined || asked.passkeyId === before?.context.chosen;
    }),
    invariant('a question is about a passkey that is there', (snapshot) => {
      const { passkeys: listed, chosen } = snapshot.context;
      return !snapshot.matches('asking') || listed.some(({ id }) => id === chosen);
    }),
    always('what is said to be done, the server has done just now, to the passkey that is named', (moment) => {
      const { before, snapshot } = moment;
      const { notice } = snapshot.context;
      const added = getPortOutput<AddedPasskey>(moment, 'addPasskey');
      const isRemoved = getPortOutput(moment, 'removePasskey') !== undefined;
      const renamed = getPortOutput<Passkey[]>(moment, 'renamePasskey');
      if (renamed) {
        const now = renamed.find(({ id }) => id === before?.context.chosen);
        return notice?.what === 'renamed' && notice.name === now?.name;
      }
      const named = added
        ? added.passkeys.find(({ id }) => id === added.addedId)
        : before?.context.passkeys.find(({ id }) => id === before.context.chosen);
      if (added || isRemoved) return notice?.name === named?.name && notice?.what === (added ? 'added' : 'deleted');
      return notice === null || notice === before?.context.notice;
    }),
    always('what did not happen is told, but not to whoever did not want it', (moment) => {
      const problem = getPortProblem(moment, 'addPasskey', 'removePasskey');
      if (problem === null) return true;
      const isOwnWish = problem.kind === 'refused' && problem.code === 'passkey_cancelled';
      return moment.snapshot.matches('shown') && (moment.snapshot.context.problem === null) === isOwnWish;
    }),
    invariant('what was said before is over when something else is done', (snapshot) => {
      const isDoing = (['adding', 'asking', 'removing', 'renaming'] as const).some((each) => snapshot.matches(each));
      return !isDoing || (snapshot.context.problem === null && snapshot.context.notice === null);
    }),
    always('a passkey is called as was typed, and no other one', (moment) => {
      const asked = getPortInput<{ passkeyId: string; pii: { form: { name: string } } }>(moment, 'renamePasskey');
      if (asked === undefined) return true;
      const typed = (moment.event['pii'] as { form: { name: string } }).form.name;
      return asked.passkeyId === moment.before?.context.chosen && asked.pii.form.name === typed;
    }),
    invariant('what was typed is held only while it is on its way', (snapshot) => {
      return snapshot.matches('renaming') === (snapshot.context.pii.form !== null);
    }),
    leadsTo('every new name is kept, or can be typed again', {
      after: ({ snapshot }) => snapshot.matches('renaming'),
      to: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('naming'),
    }),
    leadsTo('every deletion is answered', {
      after: ({ snapshot }) => snapshot.matches('removing'),
      to: ({ snapshot }) => snapshot.matches('shown'),
    }),
  ],
  pii: { 'passkeys.renaming': 'the name is on its way to the server' },
};
