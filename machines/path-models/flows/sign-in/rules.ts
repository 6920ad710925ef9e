import type { CodeRequest, CodeSignIn, phoneMachine } from '../../../account/phone.ts';
import type { PhoneCodeRequest } from '../../../model/account/phone.ts';
import type { passkeySignInMachine } from '../../../account/passkey-sign-in.ts';
import type { providersMachine } from '../../../account/providers.ts';
import type { ProviderChoice } from '../../../model/account/provider.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import { createFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const passkey = rulesFor<typeof passkeySignInMachine>();
const phone = rulesFor<typeof phoneMachine>();
const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof providersMachine>();

export const rules: Record<string, MachineRules> = {
  signIn: {
    rules: createFormRules('signIn'),
    pii: { 'signIn.checking': 'the form is on its way to the server' },
    externalExits: { 'signIn.welcomed': 'the app leads to the page that the customer came from' },
  },
  providers: {
    rules: [
      leadsTo('the list comes, or the form stays alone', {
        after: ({ event }) => event.type === 'xstate.init',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('buttons are offered only where there are providers', ({ value, context }) => {
        return (value === 'loading' || value === 'none') === (context.providers.length === 0);
      }),
      onlyAfter('nobody is led to a provider who has not pressed its button', {
        cause: ({ event, before }) => event.type === 'provider.pressed' && before?.matches('offered') === true,
        what: (moment) => getPortInput(moment, 'startSignIn') !== undefined,
        each: true,
      }),
      always('the provider that was pressed is gone to, and no other', (moment) => {
        const asked = getPortInput<ProviderChoice>(moment, 'startSignIn');
        if (asked === undefined) return true;
        const { event, snapshot } = moment;
        const isOffered = snapshot.context.providers.some(({ id }) => id === event['providerId']);
        return isOffered && asked.providerId === event['providerId'] && asked.remember === event['remember'];
      }),
      always('where the customer wanted to go is not forgotten', (moment) => {
        const asked = getPortInput<ProviderChoice>(moment, 'startSignIn');
        return asked === undefined || JSON.stringify(asked.way) === JSON.stringify(moment.snapshot.context.way);
      }),
      always('a provider that cannot be gone to is told, and the buttons are there again', (moment) => {
        const problem = getPortProblem(moment, 'startSignIn');
        return problem === null || (moment.snapshot.matches('offered') && moment.snapshot.context.problem !== null);
      }),
      always('the page is left for the provider’s when its address is there, and only then', (moment) => {
        const url = getPortOutput<string>(moment, 'startSignIn');
        const told = getSentEvents(moment, 'leave').map((fact) => fact['url']);
        if (url !== undefined && !moment.snapshot.matches('leaving')) return false;
        return JSON.stringify(told) === JSON.stringify(url === undefined ? [] : [url]);
      }),
      invariant('one provider at a time is gone to', ({ value, context }) => {
        return ['starting', 'leaving', 'phoning'].includes(String(value)) === (context.choice !== null);
      }),
      invariant('what went wrong before is forgotten on the way', ({ value, context }) => {
        return value === 'offered' || context.problem === null;
      }),
      always('who comes back can press again', ({ event, before, snapshot }) => {
        return event.type !== 'page.returned' || before?.matches('leaving') !== true || snapshot.matches('offered');
      }),
      always('by telephone nobody leaves the shop, and what is remembered is kept', (moment) => {
        const asked = getPortInput<{ remember: boolean }>(moment, 'phone');
        const { event, snapshot } = moment;
        const kind = snapshot.context.providers.find(({ id }) => id === event['providerId'])?.kind;
        if (event.type !== 'provider.pressed' || moment.before?.matches('offered') !== true) return asked === undefined;
        return (kind === 'phone') === (asked !== undefined) && (asked === undefined || asked.remember === event['remember']);
      }),
      always('whoever has signed in by telephone is reported, and nobody else', (moment) => {
        const isIn = moment.event.type === 'session.started' && moment.before?.matches('phoning') === true;
        return getSentEvents(moment, 'session.started').length === (isIn ? 1 : 0);
      }),
    ],
    externalExits: { 'providers.leaving': 'the browser shows the provider’s page' },
  },
  passkeySignIn: {
    rules: [
      passkey.always('it is offered where the browser can, and nowhere else', (moment) => {
        const can = getPortOutput<boolean>(moment, 'canUsePasskeys');
        return can === undefined || moment.snapshot.matches(can ? 'offered' : 'none');
      }),
      passkey.onlyAfter('a device is only asked by a press', {
        cause: ({ event, before }) => event.type === 'passkey.pressed' && before?.matches('offered') === true,
        what: (moment) => getPortInput(moment, 'signInByPasskey') !== undefined,
        each: true,
      }),
      passkey.always('whoever is to be remembered is, and nobody else', (moment) => {
        const asked = getPortInput<{ remember: boolean }>(moment, 'signInByPasskey');
        return asked === undefined || asked.remember === moment.event['remember'];
      }),
      passkey.onlyAfter('nobody is welcomed whom the server has not let in', {
        cause: (moment) =>
          getPortOutput(moment, 'signInByPasskey') !== undefined || getPortOutput(moment, 'autofill') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      passkey.always('the shop hears who has signed in, and nothing else', (moment) => {
        const customer =
          getPortOutput<{ userId: string }>(moment, 'signInByPasskey') ?? getPortOutput<{ userId: string }>(moment, 'autofill');
        const told = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
        const isWelcome = customer === undefined || moment.snapshot.matches('welcomed');
        return isWelcome && JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      passkey.always('who is not let in can press again, and is told why, or that nothing was used', (moment) => {
        const problem = getPortProblem(moment, 'signInByPasskey');
        if (problem === null) return true;
        const { snapshot } = moment;
        const isOwnWish = problem.kind === 'refused' && problem.code === 'passkey_cancelled';
        const isTold = (snapshot.context.problem === null) === isOwnWish && snapshot.context.cancelled === isOwnWish;
        return snapshot.matches('offered') && isTold;
      }),
      passkey.always('the browser’s own offer stands beside the button, and ends with a press', (moment) => {
        const { effects, snapshot, before, event } = moment;
        const begins = getPortInput(moment, 'autofill') !== undefined;
        const ends = effects.some((effect) => effect.kind === 'stop' && effect.id === 'autofill');
        if (begins) return snapshot.matches('offered');
        return !(event.type === 'passkey.pressed' && before?.matches('offered') === true) || ends;
      }),
      passkey.always(
        'a passkey that was chosen and refused is told; an offer that nobody asked for fails without a word',
        (moment) => {
          const problem = getPortProblem(moment, 'autofill');
          if (problem === null) return true;
          const isAbout = problem.kind === 'refused' && problem.code.startsWith('passkey_');
          const before = moment.before?.context.problem ?? null;
          const { problem: shown } = moment.snapshot.context;
          return moment.snapshot.matches('offered') && (isAbout ? shown !== null : shown === before);
        },
      ),
      passkey.invariant('what went wrong before is forgotten while the device is asked', ({ value, context }) => {
        return value !== 'waiting' || (context.problem === null && !context.cancelled);
      }),
    ],
    externalExits: { 'passkeySignIn.welcomed': 'the app leads to the page that the customer came from' },
  },
  phone: {
    rules: [
      phone.onlyAfter('nobody is welcomed whom the server has not let in', {
        cause: (moment) => getPortOutput(moment, 'signInByCode') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      phone.always('the shop hears who has signed in, and nothing else', (moment) => {
        const customer = getPortOutput<{ userId: string }>(moment, 'signInByCode');
        const told = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
        const isWelcome = customer === undefined || moment.snapshot.matches('welcomed');
        return isWelcome && JSON.stringify(told) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      phone.always('a code is sent to the number that was typed', (moment) => {
        const asked = getPortInput<CodeRequest>(moment, 'sendCode');
        const typed = (moment.event['pii'] as { form?: { phone?: string } } | undefined)?.form?.phone;
        return (
          (asked?.pii.phone ?? null) ===
          (moment.event.type === 'phone.submitted' && moment.before?.matches('asking') ? typed : null)
        );
      }),
      phone.always('a code is checked with the number and the request that it was sent for', (moment) => {
        const asked = getPortInput<CodeSignIn>(moment, 'signInByCode');
        if (asked === undefined) return true;
        const typed = (moment.event['pii'] as { form: { code: string } }).form.code;
        const { phone: number, requestId } = moment.before?.context.pii ?? { phone: '', requestId: '' };
        return (
          number !== '' &&
          asked.pii.phone === number &&
          asked.pii.requestId === requestId &&
          asked.pii.code === typed &&
          asked.remember === moment.snapshot.context.remember
        );
      }),
      phone.onlyAfter('a code is asked for only when one has been sent', {
        cause: (moment) => getPortOutput(moment, 'sendCode') !== undefined,
        what: ({ snapshot }) => snapshot.matches('codeAsked'),
      }),
      phone.always('a code that was sent is asked for, and its request and the time of its message are kept', (moment) => {
        const sent = getPortOutput<PhoneCodeRequest>(moment, 'sendCode');
        if (sent === undefined) return true;
        const { sentAt, pii } = moment.snapshot.context;
        return moment.snapshot.matches('codeAsked') && pii.requestId === sent.pii.requestId && sentAt === sent.sentAt;
      }),
      phone.always('whose form comes back is told why, and a code that is over leads to another one', (moment) => {
        const problem = getPortProblem(moment, 'sendCode', 'signInByCode');
        if (problem === null) return true;
        const isOver = problem.kind === 'refused' && problem.code === 'code_over';
        const isBack = getPortProblem(moment, 'sendCode') !== null || isOver ? 'asking' : 'codeAsked';
        return moment.snapshot.matches(isBack) && moment.snapshot.context.problem !== null;
      }),
      phone.always('what cannot be right is told beside its field, and not sent', ({ event, before, snapshot, effects }) => {
        const isAbout = { 'phone.rejected': 'asking', 'code.rejected': 'codeAsked' }[event.type];
        if (isAbout === undefined || before?.value !== isAbout) return true;
        return effects.length === 0 && snapshot.context.fields === event['fields'];
      }),
      phone.invariant('what was wrong is forgotten on the way', ({ value, context }) => {
        const isOnItsWay = value === 'sending' || value === 'checking';
        return !isOnItsWay || (context.problem === null && Object.keys(context.fields).length === 0);
      }),
      phone.always('who asks for another code begins anew', ({ event, before, snapshot }) => {
        if (event.type !== 'again.pressed' || before?.matches('codeAsked') !== true) return true;
        return snapshot.matches('asking') && snapshot.context.problem === null;
      }),
      phone.always('who cancels is heard', (moment) => {
        const { event, before } = moment;
        const mayCancel = before?.matches('asking') === true || before?.matches('codeAsked') === true;
        return (getSentEvents(moment, 'phone.closed').length === 1) === (event.type === 'cancel.pressed' && mayCancel);
      }),
      phone.leadsTo('every form is answered', {
        after: ({ event }) => event.type === 'phone.submitted' || event.type === 'code.submitted',
        to: ({ snapshot }) => !snapshot.matches('sending') && !snapshot.matches('checking'),
      }),
    ],
    pii: {
      'phone.sending': 'the number is on its way to the server',
      'phone.codeAsked': 'number and request belong to the code that is asked for',
      'phone.checking': 'number, request and code are on their way to the server',
    },
    externalExits: { 'phone.welcomed': 'the app leads to the page that the customer came from' },
  },
};
