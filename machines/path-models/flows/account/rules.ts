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
import { createSentFormRules } from '../../form-rules.ts';
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
      leadsTo('an account comes, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('what is shown has purchases', ({ value, context }) => value !== 'shown' || context.purchases.length > 0),
    ],
  },
  details: {
    rules: [
      ...createSentFormRules({ event: 'details', port: 'saveDetails', sending: 'saving' }),
      details.leadsTo('details come, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      details.always('what is shown as the customer’s is what the server has', (moment) => {
        const before = moment.before?.context.pii;
        const loaded = getPortOutput<Details>(moment, 'loadDetails');
        const isSaved = getPortOutput(moment, 'saveDetails') !== undefined;
        const known = loaded ? loaded.pii : isSaved ? before?.form : before?.answers;
        return moment.before === null || JSON.stringify(moment.snapshot.context.pii.answers) === JSON.stringify(known);
      }),
      details.always('what is said to be saved is', (moment) => {
        const { saved } = moment.snapshot.context;
        if (getPortOutput(moment, 'saveDetails') !== undefined) return saved;
        return !saved || moment.before?.context.saved === true;
      }),
      details.invariant(
        'nothing is said to be saved beside what went wrong, or while something else is on its way',
        (snapshot) => {
          const { saved, problem, fields } = snapshot.context;
          return !saved || (problem === null && Object.keys(fields).length === 0 && snapshot.value === 'asking');
        },
      ),
      details.invariant('what was typed is held while it is on its way, and no longer', ({ value, context }) => {
        return (value === 'saving') === (context.pii.form !== null);
      }),
    ],
    pii: {
      'details.asking': 'the form shows what is known of the customer',
      'details.saving': 'the form is on its way to the server',
    },
  },
  credentials: {
    rules: [
      ...createSentFormRules({ event: 'email', port: 'saveEmail', asking: 'askingEmail', sending: 'savingEmail' }),
      ...createSentFormRules({ event: 'password', port: 'savePassword', asking: 'askingPassword', sending: 'savingPassword' }),
      credentials.always('without its password no account gets another address that has one', (moment) => {
        const asked = getPortInput<{ pii: { form: { current?: string } } }>(moment, 'saveEmail');
        return asked === undefined || (asked.pii.form.current !== undefined) === moment.snapshot.context.hasPassword;
      }),
      credentials.invariant('a password is only changed where there is one', ({ value, context }) => {
        return !['askingPassword', 'savingPassword'].includes(value) || context.hasPassword;
      }),
      credentials.always('what is said to be changed was changed by the server just now', (moment) => {
        const changed = (['email', 'password'] as const).find(
          (kind) => getPortOutput(moment, kind === 'email' ? 'saveEmail' : 'savePassword') !== undefined,
        );
        if (changed !== undefined) return moment.snapshot.context.changed === changed && moment.snapshot.matches('closed');
        return moment.snapshot.context.changed === null || moment.snapshot.context.changed === moment.before?.context.changed;
      }),
      credentials.always('the shop hears of a new address when the server has it, and of nothing else', (moment) => {
        const customer = getPortOutput<{ pii: { email: string } }>(moment, 'saveEmail');
        const told = getSentEvents(moment, 'session.started').map(({ pii }) => (pii as { email: string }).email);
        return JSON.stringify(told) === JSON.stringify(customer ? [customer.pii.email] : []);
      }),
      credentials.invariant('who begins anew sees nothing of what was changed before', ({ value, context }) => {
        return value === 'closed' || context.changed === null;
      }),
      credentials.always('a form that is opened is an empty one', ({ event, snapshot }) => {
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
      dataDownload.leadsTo('every press is answered', {
        after: ({ event }) => event.type === 'download.pressed',
        to: ({ snapshot }) => snapshot.matches('ready'),
      }),
      dataDownload.always('a file is said to be there when it is, and until the next press', (moment) => {
        const { saved } = moment.snapshot.context;
        if (getPortOutput(moment, 'saveData') !== undefined) return saved;
        return !saved || moment.before?.context.saved === true;
      }),
      dataDownload.always('whoever gets no file is told why', ({ event, snapshot }) => {
        return event.type !== 'xstate.error.actor.saveData' || snapshot.context.problem !== null;
      }),
      dataDownload.invariant('nothing is said of the last try while the next is made', ({ value, context }) => {
        return value !== 'preparing' || (context.problem === null && !context.saved);
      }),
    ],
  },
  ...subscriptionRules,
  deletion: {
    rules: [
      ...createSentFormRules({ event: 'deletion', port: 'deleteAccount', sending: 'deleting' }),
      deletion.onlyAfter('an account is only deleted by a press that asked for it, with the password', {
        cause: ({ event, before }) => event.type === 'deletion.submitted' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'deleteAccount') !== undefined,
        each: true,
      }),
      deletion.always('without its password no account is deleted that has one', (moment) => {
        const asked = getPortInput<{ pii: { form: { password?: string } } }>(moment, 'deleteAccount');
        return asked === undefined || (asked.pii.form.password !== undefined) === moment.snapshot.context.hasPassword;
      }),
      deletion.onlyAfter('an account is only said to be deleted when the server has deleted it', {
        cause: (moment) => getPortOutput(moment, 'deleteAccount') !== undefined,
        what: ({ snapshot }) => snapshot.matches('gone'),
      }),
      deletion.always('an account that is deleted is said to be', (moment) => {
        return getPortOutput(moment, 'deleteAccount') === undefined || moment.snapshot.matches('gone');
      }),
      deletion.invariant('who begins anew sees nothing of what went wrong before', ({ value, context }) => {
        return value !== 'closed' || (context.problem === null && Object.keys(context.fields).length === 0);
      }),
    ],
    pii: { 'deletion.deleting': 'the password is on its way to the server' },
  },
  cards: {
    rules: [
      cards.leadsTo('cards come, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => snapshot.matches('shown') || snapshot.matches('failed'),
      }),
      cards.always('the cards that are shown are those that the server has told of last', (moment) => {
        const told =
          getPortOutput<AddedCard | null>(moment, ...addPorts)?.cards ??
          getPortOutput<Card[]>(moment, 'loadCards', 'changeDefault', 'removeCard') ??
          moment.before?.context.cards ??
          [];
        return JSON.stringify(moment.snapshot.context.cards) === JSON.stringify(told);
      }),
      cards.onlyAfter('a card is only removed by a yes to the question', {
        cause: ({ event, before }) => event.type === 'removal.confirmed' && before?.matches('asking') === true,
        what: (moment) => getPortInput(moment, 'removeCard') !== undefined,
        each: true,
      }),
      cards.always('the question is about the card that was pressed, and so is the removal', (moment) => {
        const { event, before, snapshot } = moment;
        if (before?.matches('shown') && snapshot.matches('asking')) return snapshot.context.chosen === event['cardId'];
        const asked = getPortInput<{ cardId: string }>(moment, 'removeCard');
        return asked === undefined || asked.cardId === before?.context.chosen;
      }),
      cards.always('the default becomes the card that was pressed, and was not before', (moment) => {
        const asked = getPortInput<{ cardId: string }>(moment, 'changeDefault');
        if (asked === undefined) return true;
        const card = moment.before?.context.cards.find(({ id }) => id === asked.cardId);
        return asked.cardId === moment.event['cardId'] && card?.isDefault === false;
      }),
      cards.always('what is said to be done, the server has done', (moment) => {
        const { before, snapshot } = moment;
        const { notice } = snapshot.context;
        if (notice === null || notice === before?.context.notice) return true;
        const id = notice.card?.id ?? null;
        const chosen = before?.context.chosen ?? null;
        if (notice.what === 'removed') return getPortOutput(moment, 'removeCard') !== undefined && (id ?? chosen) === chosen;
        if (notice.what === 'default') return getPortOutput(moment, 'changeDefault') !== undefined && id === chosen;
        return (getPortOutput<AddedCard>(moment, ...addPorts)?.addedId ?? null) === id;
      }),
      cards.always('what the server has done is said', (moment) => {
        const isDone =
          (getPortOutput<AddedCard | null>(moment, ...addPorts) ?? null) !== null ||
          getPortOutput(moment, 'removeCard') !== undefined;
        const changed = getPortOutput<Card[]>(moment, 'changeDefault')?.[0]?.id;
        const isChanged = changed !== undefined && changed === moment.before?.context.chosen;
        return !(isDone || isChanged) || moment.snapshot.context.notice !== null;
      }),
      cards.always('what did not happen is told, and why', (moment) => {
        const { context } = moment.snapshot;
        const notAdded = getPortProblem(moment, 'addCard', 'addCardAgain');
        if (notAdded !== null) return JSON.stringify(context.notAdded) === JSON.stringify(notAdded);
        return (
          getPortProblem(moment, 'changeDefault', 'removeCard', 'startCard', 'sendCard') === null || context.problem !== null
        );
      }),
      cards.always(
        'a card that was not added is told of until it is, or something else is pressed',
        ({ event, before, snapshot }) => {
          const isOver = event.type.endsWith('.pressed') || event.type.startsWith('xstate.done.actor.addCard');
          return isOver || before === null || before.context.notAdded === null || snapshot.context.notAdded !== null;
        },
      ),
      cards.always('a card that nobody has refused may be tried again, and no other', ({ event, before, snapshot }) => {
        if (event.type !== 'again.pressed' || !before?.matches({ shown: 'oneMissing' })) return true;
        const problem = before.context.notAdded;
        return snapshot.matches('addingAgain') === (problem !== null && canStillAddCard(problem));
      }),
      cards.always('to the gateway leads a press alone, and where the server says', (moment) => {
        const told = getSentEvents(moment, 'leave').map(({ url }) => url);
        const url = getPortOutput<{ url: string | null }>(moment, 'startCard')?.url ?? null;
        return JSON.stringify(told) === JSON.stringify(url === null ? [] : [url]);
      }),
      cards.always('a card is typed here where the gateway has no page, and nowhere else', (moment) => {
        const start = getPortOutput<{ url: string | null }>(moment, 'startCard');
        return start === undefined || moment.snapshot.matches('typing') === (start.url === null);
      }),
      cards.always('a card that is typed is sent, and what cannot be one is not', (moment) => {
        const { event, before, snapshot } = moment;
        const asked = getPortInput<{ pii: unknown }>(moment, 'sendCard');
        if (before?.matches('typing') !== true) return asked === undefined;
        if (event.type === 'card.submitted') return JSON.stringify(asked?.pii) === JSON.stringify(event['pii']);
        return asked === undefined && (event.type !== 'card.rejected' || snapshot.context.fields === event['fields']);
      }),
      cards.invariant('a card that was typed is held no longer than until it is added', ({ value, context }) => {
        return (value === 'sending') === (context.pii.form !== null);
      }),
      cards.leadsTo('who sends a card hears of it', {
        after: ({ event }) => event.type === 'card.submitted',
        to: ({ snapshot }) => !snapshot.matches('sending'),
      }),
      cards.onlyAfter('the gateway is only asked for its page by a press', {
        cause: ({ event }) => event.type === 'add.pressed',
        what: (moment) => getPortInput(moment, 'startCard') !== undefined,
        each: true,
      }),
      cards.invariant('what was said before is over when something else is done', (snapshot) => {
        const { context } = snapshot;
        const isDoing = (['asking', 'removing', 'changing', 'starting'] as const).some((each) => snapshot.matches(each));
        if (!isDoing) return true;
        return context.problem === null && context.notice === null && context.notAdded === null;
      }),
      cards.invariant('beside cards of which one is missing stands why', (snapshot) => {
        return !snapshot.matches('shown') || snapshot.matches({ shown: 'oneMissing' }) === (snapshot.context.notAdded !== null);
      }),
      cards.leadsTo('every press is answered', {
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
      devices.leadsTo('devices come, or a word why not', {
        after: ({ event }) => event.type === 'xstate.init' || event.type === 'retry.pressed',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      devices.always('a device goes when the server has signed it out, and only then', (moment) => {
        const before = moment.before?.context.devices ?? [];
        const gone = before.filter(({ id }) => !moment.snapshot.context.devices.some((each) => each.id === id));
        const removed = getPortOutput(moment, 'removeDevice') === undefined ? [] : [moment.before?.context.removing];
        return JSON.stringify(gone.map(({ id }) => id)) === JSON.stringify(removed);
      }),
      devices.always('the server is asked about the device that was pressed, and never about this one', (moment) => {
        const asked = getPortInput<{ deviceId: string }>(moment, 'removeDevice');
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
