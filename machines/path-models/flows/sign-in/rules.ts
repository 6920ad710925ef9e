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
      leadsTo('the request for the providers ends', {
        after: ({ event }) => event.type === 'xstate.init',
        to: ({ snapshot }) => !snapshot.matches('loading'),
      }),
      invariant('buttons are offered exactly if there are providers', ({ value, context }) => {
        return (value === 'loading' || value === 'none') === (context.providers.length === 0);
      }),
      onlyAfter('a sign-in by a provider starts only after a press on its button', {
        cause: ({ event, before }) => event.type === 'provider.pressed' && before?.matches('offered') === true,
        what: (moment) => getPortInput(moment, 'startSignIn') !== undefined,
        each: true,
      }),
      always('the sign-in starts with the provider that was pressed', (moment) => {
        const input = getPortInput<ProviderChoice>(moment, 'startSignIn');
        if (input === undefined) return true;
        const { event, snapshot } = moment;
        const isOffered = snapshot.context.providers.some(({ id }) => id === event['providerId']);
        return isOffered && input.providerId === event['providerId'] && input.remember === event['remember'];
      }),
      always('the sign-in starts with the customer’s destination', (moment) => {
        const input = getPortInput<ProviderChoice>(moment, 'startSignIn');
        return input === undefined || JSON.stringify(input.way) === JSON.stringify(moment.snapshot.context.way);
      }),
      always('a failed start shows its problem and the buttons again', (moment) => {
        const problem = getPortProblem(moment, 'startSignIn');
        return problem === null || (moment.snapshot.matches('offered') && moment.snapshot.context.problem !== null);
      }),
      always('only a started sign-in leaves the page, for the provider’s URL', (moment) => {
        const url = getPortOutput<string>(moment, 'startSignIn');
        const sentUrls = getSentEvents(moment, 'leave').map((fact) => fact['url']);
        if (url !== undefined && !moment.snapshot.matches('leaving')) return false;
        return JSON.stringify(sentUrls) === JSON.stringify(url === undefined ? [] : [url]);
      }),
      invariant('a choice is stored exactly while its sign-in is in progress', ({ value, context }) => {
        return ['starting', 'leaving', 'phoning'].includes(String(value)) === (context.choice !== null);
      }),
      invariant('only the list of buttons shows a problem', ({ value, context }) => {
        return value === 'offered' || context.problem === null;
      }),
      always('a return from the provider’s page offers the buttons again', ({ event, before, snapshot }) => {
        return event.type !== 'page.returned' || before?.matches('leaving') !== true || snapshot.matches('offered');
      }),
      always('only the telephone button starts the phone machine, with the chosen remember option', (moment) => {
        const input = getPortInput<{ remember: boolean }>(moment, 'phone');
        const { event, snapshot } = moment;
        const kind = snapshot.context.providers.find(({ id }) => id === event['providerId'])?.kind;
        if (event.type !== 'provider.pressed' || moment.before?.matches('offered') !== true) return input === undefined;
        return (kind === 'phone') === (input !== undefined) && (input === undefined || input.remember === event['remember']);
      }),
      always('a sign-in by telephone, and nothing else, sends session.started', (moment) => {
        const isPhoneSignIn = moment.event.type === 'session.started' && moment.before?.matches('phoning') === true;
        return getSentEvents(moment, 'session.started').length === (isPhoneSignIn ? 1 : 0);
      }),
    ],
    externalExits: { 'providers.leaving': 'the browser shows the provider’s page' },
  },
  passkeySignIn: {
    rules: [
      passkey.always('passkeys are offered exactly if the browser supports them', (moment) => {
        const isSupported = getPortOutput<boolean>(moment, 'canUsePasskeys');
        return isSupported === undefined || moment.snapshot.matches(isSupported ? 'offered' : 'none');
      }),
      passkey.onlyAfter('a passkey is requested only after a press', {
        cause: ({ event, before }) => event.type === 'passkey.pressed' && before?.matches('offered') === true,
        what: (moment) => getPortInput(moment, 'signInByPasskey') !== undefined,
        each: true,
      }),
      passkey.always('a passkey sign-in has the chosen remember option', (moment) => {
        const input = getPortInput<{ remember: boolean }>(moment, 'signInByPasskey');
        return input === undefined || input.remember === moment.event['remember'];
      }),
      passkey.onlyAfter('the welcome appears only after the server has signed the customer in', {
        cause: (moment) =>
          getPortOutput(moment, 'signInByPasskey') !== undefined || getPortOutput(moment, 'autofill') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      passkey.always('a sign-in, and nothing else, leads to the welcome and sends session.started', (moment) => {
        const customer =
          getPortOutput<{ userId: string }>(moment, 'signInByPasskey') ?? getPortOutput<{ userId: string }>(moment, 'autofill');
        const sentUserIds = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
        const isWelcome = customer === undefined || moment.snapshot.matches('welcomed');
        return isWelcome && JSON.stringify(sentUserIds) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      passkey.always('a failed passkey sign-in offers the button again, with its problem or as cancelled', (moment) => {
        const problem = getPortProblem(moment, 'signInByPasskey');
        if (problem === null) return true;
        const { snapshot } = moment;
        const isCancelled = problem.kind === 'refused' && problem.code === 'passkey_cancelled';
        const isReported = (snapshot.context.problem === null) === isCancelled && snapshot.context.cancelled === isCancelled;
        return snapshot.matches('offered') && isReported;
      }),
      passkey.always('autofill runs beside the button and stops with a press', (moment) => {
        const { effects, snapshot, before, event } = moment;
        const isStarted = getPortInput(moment, 'autofill') !== undefined;
        const isStopped = effects.some((effect) => effect.kind === 'stop' && effect.id === 'autofill');
        if (isStarted) return snapshot.matches('offered');
        return !(event.type === 'passkey.pressed' && before?.matches('offered') === true) || isStopped;
      }),
      passkey.always('a passkey refused during autofill is shown, and any other failure of autofill shows nothing', (moment) => {
        const problem = getPortProblem(moment, 'autofill');
        if (problem === null) return true;
        const isPasskeyRefusal = problem.kind === 'refused' && problem.code.startsWith('passkey_');
        const before = moment.before?.context.problem ?? null;
        const { problem: shownProblem } = moment.snapshot.context;
        return moment.snapshot.matches('offered') && (isPasskeyRefusal ? shownProblem !== null : shownProblem === before);
      }),
      passkey.invariant('no earlier problem is shown while the device is asked', ({ value, context }) => {
        return value !== 'waiting' || (context.problem === null && !context.cancelled);
      }),
    ],
    externalExits: { 'passkeySignIn.welcomed': 'the app leads to the page that the customer came from' },
  },
  phone: {
    rules: [
      phone.onlyAfter('the welcome appears only after the server has signed the customer in', {
        cause: (moment) => getPortOutput(moment, 'signInByCode') !== undefined,
        what: ({ snapshot }) => snapshot.matches('welcomed'),
      }),
      phone.always('a sign-in, and nothing else, leads to the welcome and sends session.started', (moment) => {
        const customer = getPortOutput<{ userId: string }>(moment, 'signInByCode');
        const sentUserIds = getSentEvents(moment, 'session.started').map(({ userId }) => userId);
        const isWelcome = customer === undefined || moment.snapshot.matches('welcomed');
        return isWelcome && JSON.stringify(sentUserIds) === JSON.stringify(customer ? [customer.userId] : []);
      }),
      phone.always('a code is sent to the number that was typed', (moment) => {
        const input = getPortInput<CodeRequest>(moment, 'sendCode');
        const typedPhone = (moment.event['pii'] as { form?: { phone?: string } } | undefined)?.form?.phone;
        return (
          (input?.pii.phone ?? null) ===
          (moment.event.type === 'phone.submitted' && moment.before?.matches('asking') ? typedPhone : null)
        );
      }),
      phone.always('a code is checked with the number and the request that it was sent for', (moment) => {
        const input = getPortInput<CodeSignIn>(moment, 'signInByCode');
        if (input === undefined) return true;
        const typedCode = (moment.event['pii'] as { form: { code: string } }).form.code;
        const { phone: number, requestId } = moment.before?.context.pii ?? { phone: '', requestId: '' };
        return (
          number !== '' &&
          input.pii.phone === number &&
          input.pii.requestId === requestId &&
          input.pii.code === typedCode &&
          input.remember === moment.snapshot.context.remember
        );
      }),
      phone.onlyAfter('the form for a code appears only after a code was sent', {
        cause: (moment) => getPortOutput(moment, 'sendCode') !== undefined,
        what: ({ snapshot }) => snapshot.matches('codeAsked'),
      }),
      phone.always('a sent code opens its form, and its request id and time are kept', (moment) => {
        const request = getPortOutput<PhoneCodeRequest>(moment, 'sendCode');
        if (request === undefined) return true;
        const { sentAt, pii } = moment.snapshot.context;
        return moment.snapshot.matches('codeAsked') && pii.requestId === request.pii.requestId && sentAt === request.sentAt;
      }),
      phone.always('a failed form is shown again with its problem, and an expired code returns to the number', (moment) => {
        const problem = getPortProblem(moment, 'sendCode', 'signInByCode');
        if (problem === null) return true;
        const isCodeExpired = problem.kind === 'refused' && problem.code === 'code_over';
        const formState = getPortProblem(moment, 'sendCode') !== null || isCodeExpired ? 'asking' : 'codeAsked';
        return moment.snapshot.matches(formState) && moment.snapshot.context.problem !== null;
      }),
      phone.always('an invalid form shows its field errors and is not sent', ({ event, before, snapshot, effects }) => {
        const formState = { 'phone.rejected': 'asking', 'code.rejected': 'codeAsked' }[event.type];
        if (formState === undefined || before?.value !== formState) return true;
        return effects.length === 0 && snapshot.context.fields === event['fields'];
      }),
      phone.invariant('a form that is being sent shows no earlier problem or field error', ({ value, context }) => {
        const isSending = value === 'sending' || value === 'checking';
        return !isSending || (context.problem === null && Object.keys(context.fields).length === 0);
      }),
      phone.always('a request for another code returns to the number without a problem', ({ event, before, snapshot }) => {
        if (event.type !== 'again.pressed' || before?.matches('codeAsked') !== true) return true;
        return snapshot.matches('asking') && snapshot.context.problem === null;
      }),
      phone.always('a cancelled form, and nothing else, sends phone.closed', (moment) => {
        const { event, before } = moment;
        const mayCancel = before?.matches('asking') === true || before?.matches('codeAsked') === true;
        return (getSentEvents(moment, 'phone.closed').length === 1) === (event.type === 'cancel.pressed' && mayCancel);
      }),
      phone.leadsTo('the request of every submitted form ends', {
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
