import type { cardsMachine } from '../../../account/cards.ts';
import type { credentialsMachine } from '../../../account/credentials.ts';
import type { dataDownloadMachine } from '../../../account/data-download.ts';
import type { deletionMachine } from '../../../account/deletion.ts';
import type { detailsMachine } from '../../../account/details.ts';
import type { devicesMachine } from '../../../account/devices.ts';
import type { accountMachine } from '../../../account/account.ts';
import { canStillAddCard, type AddedCard, type Card } from '../../../model/buying/card.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { Details } from '../../../model/account/details.ts';
import { createSubmittedFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { ownProvidersRules } from './own-providers-rules.ts';
import { giftsRules } from './gifts-rules.ts';
import { passkeysRules } from './passkeys-rules.ts';
import { subscriptionRules } from './subscription-rules.ts';

const { invariant, leadsTo } = rulesFor<typeof accountMachine>();
const cards = rulesFor<typeof cardsMachine>();
/** The ports that add a card. */
const addPorts = ['addCard', 'addCardAgain', 'sendCard'];
const devices = rulesFor<typeof devicesMachine>();
const details = rulesFor<typeof detailsMachine>();
const credentials = rulesFor<typeof credentialsMachine>();
const dataDownload = rulesFor<typeof dataDownloadMachine>();
const deletion = rulesFor<typeof deletionMachine>();

export const rules: Record<string, MachineRules> = {
  account: {
    rules: [
      leadsTo('the account loads or its failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('a shown account has purchases', ({ value, context }) => value !== 'shown' || context.purchases.length > 0),
    ],
  },
  details: {
    rules: [
      ...createSubmittedFormRules({ event: 'details', port: 'saveDetails', sendingState: 'saving' }),
      details.leadsTo('the details load or their failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      details.always('the shown details are those that the server has', (moment) => {
        const before = moment.before?.context.pii;
        const loadedDetails = getPortOutput<Details>(moment, 'loadDetails');
        const isSaved = getPortOutput(moment, 'saveDetails') !== undefined;
        const expectedAnswers = loadedDetails ? loadedDetails.pii : isSaved ? before?.form : before?.answers;
        return moment.before === null || JSON.stringify(moment.snapshot.context.pii.answers) === JSON.stringify(expectedAnswers);
      }),
      details.always('details are shown as saved only after a save', (moment) => {
        const { saved } = moment.snapshot.context;
        if (getPortOutput(moment, 'saveDetails') !== undefined) return saved;
        return !saved || moment.before?.context.saved === true;
      }),
      details.invariant('details are never shown as saved beside a problem, or while another save is in progress', (snapshot) => {
        const { saved, problem, fields } = snapshot.context;
        return !saved || (problem === null && Object.keys(fields).length === 0 && snapshot.value === 'asking');
      }),
      details.invariant('the typed details are kept only while they are saved', ({ value, context }) => {
        return (value === 'saving') === (context.pii.form !== null);
      }),
    ],
    pii: {
      'details.asking': 'the form shows the customer’s data',
      'details.saving': 'the form is on its way to the server',
    },
  },
  credentials: {
    rules: [
      ...createSubmittedFormRules({
        event: 'email',
        port: 'saveEmail',
        editingState: 'askingEmail',
        sendingState: 'savingEmail',
      }),
      ...createSubmittedFormRules({
        event: 'password',
        port: 'savePassword',
        editingState: 'askingPassword',
        sendingState: 'savingPassword',
      }),
      credentials.always('a new address is sent with the password exactly if the account has one', (moment) => {
        const input = getPortInput<{ pii: { form: { current?: string } } }>(moment, 'saveEmail');
        return input === undefined || (input.pii.form.current !== undefined) === moment.snapshot.context.hasPassword;
      }),
      credentials.invariant('a password can be changed only if the account has one', ({ value, context }) => {
        return !['askingPassword', 'savingPassword'].includes(value) || context.hasPassword;
      }),
      credentials.always('a notice of a change appears only after the server has made that change', (moment) => {
        const credential = (['email', 'password'] as const).find(
          (kind) => getPortOutput(moment, kind === 'email' ? 'saveEmail' : 'savePassword') !== undefined,
        );
        if (credential !== undefined) return moment.snapshot.context.changed === credential && moment.snapshot.matches('closed');
        return moment.snapshot.context.changed === null || moment.snapshot.context.changed === moment.before?.context.changed;
      }),
      credentials.always('a saved e-mail address, and nothing else, sends session.started with it', (moment) => {
        const customer = getPortOutput<{ pii: { email: string } }>(moment, 'saveEmail');
        const sentEmails = getSentEvents(moment, 'session.started').map(({ pii }) => (pii as { email: string }).email);
        return JSON.stringify(sentEmails) === JSON.stringify(customer ? [customer.pii.email] : []);
      }),
      credentials.invariant('an open form shows no notice of an earlier change', ({ value, context }) => {
        return value === 'closed' || context.changed === null;
      }),
      credentials.always('an opened form has no problem and no field errors', ({ event, snapshot }) => {
        const isOpened = event.type === 'changeEmail.pressed' || event.type === 'changePassword.pressed';
        if (!isOpened || snapshot.matches('closed')) return true;
        return snapshot.context.problem === null && Object.keys(snapshot.context.fields).length === 0;
      }),
    ],
    pii: {
      'credentials.savingEmail': 'address and password are on their way to the server',
      'credentials.savingPassword': 'the passwords are on their way to the server',
    },
  },
  dataDownload: {
    rules: [
      dataDownload.leadsTo('every download ends', {
        after: ({ event }) => event.type === 'download.pressed',
        to: ({ snapshot }) => snapshot.matches('ready'),
      }),
      dataDownload.always('a file is shown as saved only after it was saved', (moment) => {
        const { saved } = moment.snapshot.context;
        if (getPortOutput(moment, 'saveData') !== undefined) return saved;
        return !saved || moment.before?.context.saved === true;
      }),
      dataDownload.always('a failed download shows its problem', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.saveData' || snapshot.context.problem !== null;
      }),
      dataDownload.invariant('a download in progress shows nothing of the last one', ({ value, context }) => {
        return value !== 'preparing' || (context.problem === null && !context.saved);
      }),
    ],
  },
  ...subscriptionRules,
  deletion: {
    rules: [
      ...createSubmittedFormRules({ event: 'deletion', port: 'deleteAccount', sendingState: 'deleting' }),
      deletion.onlyAfter('an account is deleted only after the form was submitted', {
        cause: ({ event, before }) => event.type === 'deletion.submitted' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'deleteAccount') !== undefined,
        each: true,
      }),
      deletion.always('a deletion is sent with the password exactly if the account has one', (moment) => {
        const input = getPortInput<{ pii: { form: { password?: string } } }>(moment, 'deleteAccount');
        return input === undefined || (input.pii.form.password !== undefined) === moment.snapshot.context.hasPassword;
      }),
      deletion.onlyAfter('an account is shown as deleted only after the server has deleted it', {
        cause: (moment) => getPortOutput(moment, 'deleteAccount') !== undefined,
        what: ({ snapshot }) => snapshot.matches('gone'),
      }),
      deletion.always('a deleted account is confirmed', (moment) => {
        return getPortOutput(moment, 'deleteAccount') === undefined || moment.snapshot.matches('gone');
      }),
      deletion.invariant('a closed form keeps no problem and no field errors', ({ value, context }) => {
        return value !== 'closed' || (context.problem === null && Object.keys(context.fields).length === 0);
      }),
    ],
    pii: { 'deletion.deleting': 'the password is on its way to the server' },
  },
  cards: {
    rules: [
      cards.leadsTo('the cards load or their failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('failed'),
      }),
      cards.always('the shown cards are those of the server’s last answer', (moment) => {
        const expectedCards =
          getPortOutput<AddedCard | null>(moment, ...addPorts)?.cards ??
          getPortOutput<Card[]>(moment, 'loadCards', 'changeDefault', 'removeCard') ??
          moment.before?.context.cards ??
          [];
        return JSON.stringify(moment.snapshot.context.cards) === JSON.stringify(expectedCards);
      }),
      cards.onlyAfter('a card is removed only after the customer confirms the question', {
        cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'removeCard') !== undefined,
        each: true,
      }),
      cards.always('the question and the removal are about the card that was pressed', (moment) => {
        const { event, before, snapshot } = moment;
        if (before?.matches('shown') && snapshot.matches('asking')) return snapshot.context.chosen === event['cardId'];
        const input = getPortInput<{ cardId: string }>(moment, 'removeCard');
        return input === undefined || input.cardId === before?.context.chosen;
      }),
      cards.always('the card that was pressed becomes the default if it is not', (moment) => {
        const input = getPortInput<{ cardId: string }>(moment, 'changeDefault');
        if (input === undefined) return true;
        const card = moment.before?.context.cards.find(({ id }) => id === input.cardId);
        return input.cardId === moment.event['cardId'] && card?.isDefault === false;
      }),
      cards.always('every notice is about a change that the server has made', (moment) => {
        const { before, snapshot } = moment;
        const { notice } = snapshot.context;
        if (notice === null || notice === before?.context.notice) return true;
        const id = notice.card?.id ?? null;
        const chosen = before?.context.chosen ?? null;
        if (notice.what === 'removed') return getPortOutput(moment, 'removeCard') !== undefined && (id ?? chosen) === chosen;
        if (notice.what === 'default') return getPortOutput(moment, 'changeDefault') !== undefined && id === chosen;
        return (getPortOutput<AddedCard>(moment, ...addPorts)?.addedId ?? null) === id;
      }),
      cards.always('every change that the server has made gets a notice', (moment) => {
        const isDone =
          (getPortOutput<AddedCard | null>(moment, ...addPorts) ?? null) !== null ||
          getPortOutput(moment, 'removeCard') !== undefined;
        const defaultCardId = getPortOutput<Card[]>(moment, 'changeDefault')?.[0]?.id;
        const isChanged = defaultCardId !== undefined && defaultCardId === moment.before?.context.chosen;
        return !(isDone || isChanged) || moment.snapshot.context.notice !== null;
      }),
      cards.always('every failed request shows its problem', (moment) => {
        const { context } = moment.snapshot;
        const addProblem = getPortProblem(moment, 'addCard', 'addCardAgain');
        if (addProblem !== null) return JSON.stringify(context.notAdded) === JSON.stringify(addProblem);
        return (
          getPortProblem(moment, 'changeDefault', 'removeCard', 'startCard', 'sendCard') === null || context.problem !== null
        );
      }),
      cards.always(
        'the problem of a card that was not added stays until a press or until it is added',
        ({ event, before, snapshot }) => {
          const mayForget = event.type.endsWith('.pressed') || event.type.startsWith('xstate.done.actor.addCard');
          return mayForget || before === null || before.context.notAdded === null || snapshot.context.notAdded !== null;
        },
      ),
      cards.always('a card can be added again only if it was not refused for good', ({ event, before, snapshot }) => {
        if (event.type !== 'again.pressed' || !before?.matches({ shown: 'oneMissing' })) return true;
        const problem = before.context.notAdded;
        return snapshot.matches('addingAgain') === (problem !== null && canStillAddCard(problem));
      }),
      cards.always('the page is left only for the gateway’s URL of a started card', (moment) => {
        const sentUrls = getSentEvents(moment, 'leave').map(({ url }) => url);
        const url = getPortOutput<{ url: string | null }>(moment, 'startCard')?.url ?? null;
        return JSON.stringify(sentUrls) === JSON.stringify(url === null ? [] : [url]);
      }),
      cards.always('the form for a card opens exactly if the gateway has no page', (moment) => {
        const start = getPortOutput<{ url: string | null }>(moment, 'startCard');
        return start === undefined || moment.snapshot.matches('typing') === (start.url === null);
      }),
      cards.always('a submitted card is sent, and an invalid one shows its field errors', (moment) => {
        const { event, before, snapshot } = moment;
        const input = getPortInput<{ pii: unknown }>(moment, 'sendCard');
        if (before?.matches('typing') !== true) return input === undefined;
        if (event.type === 'card.submitted') return JSON.stringify(input?.pii) === JSON.stringify(event['pii']);
        return input === undefined && (event.type !== 'card.rejected' || snapshot.context.fields === event['fields']);
      }),
      cards.invariant('a typed card is kept only while it is sent', ({ value, context }) => {
        return (value === 'sending') === (context.pii.form !== null);
      }),
      cards.leadsTo('every request to add a typed card ends', {
        after: ({ event }) => event.type === 'card.submitted',
        to: ({ snapshot }) => !snapshot.matches('sending'),
      }),
      cards.onlyAfter('the gateway’s page is requested only after a press', {
        cause: ({ event }) => event.type === 'add.pressed',
        what: (moment) => getPortInput(moment, 'startCard') !== undefined,
        each: true,
      }),
      cards.invariant('a new action clears the earlier problems and the notice', (snapshot) => {
        const { context } = snapshot;
        const isDoing = (['asking', 'removing', 'changing', 'starting'] as const).some((each) => snapshot.matches(each));
        if (!isDoing) return true;
        return context.problem === null && context.notice === null && context.notAdded === null;
      }),
      cards.invariant('the list shows a missing card exactly if its problem is known', (snapshot) => {
        return !snapshot.matches('shown') || snapshot.matches({ shown: 'oneMissing' }) === (snapshot.context.notAdded !== null);
      }),
      cards.leadsTo('every change of the cards ends', {
        after: ({ snapshot }) =>
          (['removing', 'changing', 'starting', 'addingAgain'] as const).some((each) => snapshot.matches(each)),
        to: ({ snapshot }) => snapshot.matches('shown'),
      }),
    ],
    pii: {
      'cards.shown': 'the lines name the cards',
      'cards.addingAgain': 'the lines stay',
      'cards.asking': 'the question names the card',
      'cards.removing': 'the question stays',
      'cards.changing': 'the lines stay',
      'cards.starting': 'the lines stay',
      'cards.typing': 'the lines come back with Cancel',
      'cards.sending': 'the card is on its way to the server',
    },
  },
  passkeys: passkeysRules,
  ownProviders: ownProvidersRules,
  gifts: giftsRules,
  devices: {
    rules: [
      devices.leadsTo('the devices load or their failure is shown', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      devices.always('a device leaves the list exactly when the server has signed it out', (moment) => {
        const before = moment.before?.context.devices ?? [];
        const removedDevices = before.filter(({ id }) => !moment.snapshot.context.devices.some((each) => each.id === id));
        const signedOutIds = getPortOutput(moment, 'removeDevice') === undefined ? [] : [moment.before?.context.removing];
        return JSON.stringify(removedDevices.map(({ id }) => id)) === JSON.stringify(signedOutIds);
      }),
      devices.always('the device that was pressed is signed out, but never this one', (moment) => {
        const input = getPortInput<{ deviceId: string }>(moment, 'removeDevice');
        if (input === undefined) return true;
        const isThis = moment.before?.context.devices.find(({ id }) => id === input.deviceId)?.isThis;
        return input.deviceId === moment.event['deviceId'] && isThis === false;
      }),
      devices.always('a failed sign-out of a device shows its problem', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.removeDevice' || snapshot.context.problem !== null;
      }),
      devices.invariant('a device id is kept exactly while its sign-out is in progress', ({ value, context }) => {
        return (value === 'removing') === (context.removing !== null);
      }),
      devices.leadsTo('every sign-out of a device ends', {
        after: ({ snapshot }) => snapshot.matches('removing'),
        to: ({ snapshot }) => snapshot.matches('shown'),
      }),
    ],
  },
};
