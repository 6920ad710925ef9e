import type { passkeysMachine } from '../../../account/passkeys.ts';
import type { AddedPasskey, Passkey, Passkeys } from '../../../model/account/passkey.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof passkeysMachine>();

/** The rules of an account's passkeys. */
export const passkeysRules: MachineRules = {
  rules: [
    leadsTo('the passkeys load or their failure is shown', {
      after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
      to: ({ snapshot }) => !snapshot.matches('loading'),
    }),
    always('the shown passkeys are those of the server’s last answer', (moment) => {
      const expectedPasskeys =
        getPortOutput<Passkeys | null>(moment, 'loadPasskeys')?.passkeys ??
        getPortOutput<AddedPasskey>(moment, 'addPasskey')?.passkeys ??
        getPortOutput<Passkey[]>(moment, 'renamePasskey') ??
        getPortOutput<Passkey[]>(moment, 'removePasskey') ??
        moment.before?.context.passkeys ??
        [];
      return JSON.stringify(moment.snapshot.context.passkeys) === JSON.stringify(expectedPasskeys);
    }),
    onlyAfter('a passkey is created only after a press, in a browser that supports it', {
      cause: ({ event, before }) => event.type === 'add.pressed' && before?.context.canAdd === true,
      what: (moment) => getPortInput(moment, 'addPasskey') !== undefined,
      each: true,
    }),
    onlyAfter('a passkey is deleted only after the customer confirms the question', {
      cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
      what: (moment) => getPortInput(moment, 'removePasskey') !== undefined,
      each: true,
    }),
    always('the question and the deletion are about the passkey that was pressed', (moment) => {
      const { event, before, snapshot } = moment;
      if (before?.matches('shown') && snapshot.matches('asking')) return snapshot.context.chosen === event['passkeyId'];
      const input = getPortInput<{ passkeyId: string }>(moment, 'removePasskey');
      return input === undefined || input.passkeyId === before?.context.chosen;
    }),
    invariant('the question is about a listed passkey', (snapshot) => {
      const { passkeys: listedPasskeys, chosen } = snapshot.context;
      return !snapshot.matches('asking') || listedPasskeys.some(({ id }) => id === chosen);
    }),
    always('a notice names the passkey that was just added, renamed or deleted', (moment) => {
      const { before, snapshot } = moment;
      const { notice } = snapshot.context;
      const addOutput = getPortOutput<AddedPasskey>(moment, 'addPasskey');
      const isRemoved = getPortOutput(moment, 'removePasskey') !== undefined;
      const renamedPasskeys = getPortOutput<Passkey[]>(moment, 'renamePasskey');
      if (renamedPasskeys) {
        const renamedPasskey = renamedPasskeys.find(({ id }) => id === before?.context.chosen);
        return notice?.what === 'renamed' && notice.name === renamedPasskey?.name;
      }
      const passkey = addOutput
        ? addOutput.passkeys.find(({ id }) => id === addOutput.addedId)
        : before?.context.passkeys.find(({ id }) => id === before.context.chosen);
      if (addOutput || isRemoved) return notice?.name === passkey?.name && notice?.what === (addOutput ? 'added' : 'deleted');
      return notice === null || notice === before?.context.notice;
    }),
    always('a failed addition or deletion shows its problem unless the customer cancelled it', (moment) => {
      const problem = getPortProblem(moment, 'addPasskey', 'removePasskey');
      if (problem === null) return true;
      const isCancelled = problem.kind === 'refused' && problem.code === 'passkey_cancelled';
      return moment.snapshot.matches('shown') && (moment.snapshot.context.problem === null) === isCancelled;
    }),
    invariant('a new action clears the earlier problem and notice', (snapshot) => {
      const isDoing = (['adding', 'asking', 'removing', 'renaming'] as const).some((each) => snapshot.matches(each));
      return !isDoing || (snapshot.context.problem === null && snapshot.context.notice === null);
    }),
    always('the chosen passkey gets the typed name', (moment) => {
      const input = getPortInput<{ passkeyId: string; pii: { form: { name: string } } }>(moment, 'renamePasskey');
      if (input === undefined) return true;
      const typedName = (moment.event['pii'] as { form: { name: string } }).form.name;
      return input.passkeyId === moment.before?.context.chosen && input.pii.form.name === typedName;
    }),
    invariant('a typed name is kept only while it is saved', (snapshot) => {
      return snapshot.matches('renaming') === (snapshot.context.pii.form !== null);
    }),
    leadsTo('every renaming returns to the list or to the form', {
      after: ({ snapshot }) => snapshot.matches('renaming'),
      to: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('naming'),
    }),
    leadsTo('every deletion ends', {
      after: ({ snapshot }) => snapshot.matches('removing'),
      to: ({ snapshot }) => snapshot.matches('shown'),
    }),
  ],
  pii: { 'passkeys.renaming': 'the name is on its way to the server' },
};
