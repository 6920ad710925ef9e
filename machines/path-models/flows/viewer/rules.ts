import type { addressesMachine } from '../../../reading/addresses.ts';
import type { bookMachine } from '../../../reading/book.ts';
import type { interactiveMachine } from '../../../reading/interactive.ts';
import type { noticesMachine } from '../../../reading/notices.ts';
import type { progressMachine } from '../../../reading/progress.ts';
import type { tracksMachine } from '../../../reading/tracks.ts';
import type { viewerMachine } from '../../../reading/viewer.ts';
import type { OpenedTitle } from '../../../reading/viewer-setup.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Publication } from '../../../model/reading/reading.ts';
import { isMissing } from '../../../ports.ts';
import type { AnyStateMachine, SnapshotFrom } from 'xstate';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents, type Rule } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { interruptionRules, createInterruptionRules } from './interruption-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const progress = rulesFor<typeof progressMachine>();

type SavedPlace = { position: unknown };

const isUnsaved = (snapshot: SnapshotFrom<typeof progressMachine> | null | undefined): boolean =>
  snapshot?.matches('unsaved') === true || snapshot?.matches('delayed') === true;

const progressRules: MachineRules = {
  rules: [
    progress.never('the viewer closes only after a moved position was saved or sent a last time', {
      after: ({ event, fired }) => event.type === 'position.moved' && fired.length > 0,
      // A close during a conflict saves nothing: the position stays in this browser.
      what: ({ snapshot, before }) => snapshot.status === 'done' && before?.matches('conflict') !== true,
      until: (moment) =>
        getPortOutput(moment, 'saveProgress') !== undefined ||
        getPortInput(moment, 'saveLast') !== undefined ||
        moment.event.type === 'place.accepted',
    }),
    progress.always('every move is stored in this browser at once', (moment) => {
      const isMove = moment.event.type === 'position.moved' && moment.fired.length > 0;
      return (
        !isMove || getSentEvents(moment, 'place.moved').some(({ position }) => isSameJson(position, moment.event['position']))
      );
    }),
    progress.always('a position is stored in this browser with the version that it is based on', (moment) => {
      const knownVersion = moment.before?.context.known;
      return getSentEvents(moment, 'place.moved').every((sentEvent) => isSameJson(sentEvent['known'], knownVersion));
    }),
    progress.always('while another device is ahead, the known version stays, and only “Stay here” saves a position', (moment) => {
      if (moment.before?.matches('conflict') !== true) return true;
      const { event, before, snapshot } = moment;
      const isKept = snapshot.matches('conflict') ? isSameJson(snapshot.context.known, before.context.known) : true;
      return isKept && (getPortInput(moment, 'saveProgress') === undefined || event.type === 'place.dismissed');
    }),
    progress.always('the reader is moved only to a position that was offered or listed', (moment) => {
      const { conflict, offered, earlier } = moment.before?.context ?? { conflict: null, offered: null, earlier: [] };
      const places = [conflict?.newer, offered, ...earlier].map((each) => each?.position);
      return getSentEvents(moment, 'place.requested').every(({ place }) => places.some((each) => isSameJson(each, place)));
    }),
    progress.always('a position that could not be saved is sent again before the viewer closes', (moment) => {
      const isClosed = moment.event.type === 'close' && isUnsaved(moment.before);
      return !isClosed || getPortInput(moment, 'saveLast') !== undefined;
    }),
    progress.always('the saved position is the current one', (moment) => {
      const input = getPortInput<SavedPlace>(moment, 'saveProgress') ?? getPortInput<SavedPlace>(moment, 'saveLast');
      return input === undefined || (input.position !== null && isSameJson(input.position, moment.snapshot.context.position));
    }),
    progress.always('every move updates the position', ({ event, fired, snapshot }) => {
      const isKept = event.type !== 'position.moved' || isSameJson(event['position'], snapshot.context.position);
      return isKept && (fired.length > 0 || event.type !== 'position.moved' || snapshot.matches('closing'));
    }),
    progress.onlyAfter('only close ends the machine', {
      cause: ({ event }) => event.type === 'close',
      what: ({ snapshot }) => snapshot.status === 'done',
    }),
    progress.always('a position counts as saved exactly when the server has stored it', ({ event, snapshot }) => {
      if (event.type === 'xstate.done.actor.saveProgress') return snapshot.matches('saved') || snapshot.context.conflict !== null;
      return event.type !== 'xstate.error.actor.saveProgress' || isUnsaved(snapshot);
    }),
    progress.always('close ends the machine, after a last save if one is needed', (moment) => {
      const { event, snapshot } = moment;
      const isCloseAnswer = event.type.endsWith('.actor.saveLast') || event.type.startsWith('xstate.after.closeLimit');
      if (isCloseAnswer) return snapshot.status === 'done';
      if (event.type !== 'close') return true;
      const isIdle = moment.before?.matches('saved') === true || moment.before?.matches('conflict') === true;
      return isIdle ? snapshot.status === 'done' : snapshot.matches('closing');
    }),
    progress.always('a hidden page saves an unsaved position at once', (moment) => {
      const mustSave =
        moment.event.type === 'page.hidden' && (moment.before?.matches('moved') === true || isUnsaved(moment.before));
      return !mustSave || getPortInput(moment, 'saveProgress') !== undefined;
    }),
    progress.always(
      'a position that a rate limit refused is sent when the delay ends, and no move sends it earlier',
      (moment) => {
        if (moment.before?.matches('delayed') !== true) return true;
        const isSent = getPortInput(moment, 'saveProgress') !== undefined;
        if (moment.event.type === 'position.moved') return !isSent && moment.snapshot.matches('delayed');
        return !moment.event.type.startsWith('xstate.after.') || isSent;
      },
    ),
    progress.leadsTo('every move is eventually sent, unless it is one side of a conflict', {
      after: ({ event, fired, snapshot }) => event.type === 'position.moved' && fired.length > 0 && !snapshot.matches('conflict'),
      to: (moment) => (getPortInput(moment, 'saveProgress') ?? getPortInput(moment, 'saveLast')) !== undefined,
    }),
    progress.leadsTo('close ends the machine even if nothing can be saved', {
      after: ({ event, fired }) => event.type === 'close' && fired.length > 0,
      to: ({ snapshot }) => snapshot.status === 'done',
    }),
  ],
};

const addresses = rulesFor<typeof addressesMachine>();

const addressesRules: MachineRules = {
  rules: [
    addresses.leadsTo('every expired URL gets an answer', {
      after: ({ event, fired }) => event.type === 'addresses.expired' && fired.length > 0,
      to: (moment) =>
        ['addresses.renewed', 'addresses.refused', 'addresses.failed'].some((type) => getSentEvents(moment, type).length > 0),
    }),
    addresses.always('new URLs reach the player', (moment) => {
      const isRenewed = moment.event.type.startsWith('xstate.done.actor.renew');
      return !isRenewed || getSentEvents(moment, 'addresses.renewed').length === 1;
    }),
    addresses.always('a failed renewal is reported only to a player that waits for it', (moment) => {
      return getSentEvents(moment, 'addresses.failed').length === 0 || moment.before?.matches('awaited') === true;
    }),
  ],
};

const player = rulesFor<AnyStateMachine>();

/** The rules of every player. */
const playerRules: readonly Rule[] = [
  player.leadsTo('every press on Close ends the player', {
    after: ({ event, fired }) => event.type === 'close.pressed' && fired.length > 0,
    to: ({ snapshot }) => snapshot.status === 'done',
  }),
  player.always('addresses.refused sends title.refused once', (moment) => {
    return moment.event.type !== 'addresses.refused' || getSentEvents(moment, 'title.refused').length === 1;
  }),
  player.always('an expired URL is requested again', (moment) => {
    const isExpired = moment.event.type.endsWith('.expired') && moment.fired.length > 0;
    return !isExpired || getSentEvents(moment, 'addresses.expired').length === 1;
  }),
];

const PROGRESS_WAIT_TEXT = 'the position is saved within two seconds, or not at all';

const book = rulesFor<typeof bookMachine>();

const bookRules: MachineRules = {
  rules: [
    ...playerRules,
    ...createInterruptionRules('book'),
    book.always('a table or picture is enlarged on request until a page is turned', (moment) => {
      const { event, fired, snapshot } = moment;
      if (fired.length === 0 || !snapshot.matches('reading')) return true;
      const isLarge = snapshot.matches({ reading: { enlarging: 'enlarged' } });
      if (event.type === 'book.enlargeRequested') return isLarge && getSentEvents(moment, 'book.enlarge').length === 1;
      return event.type !== 'turn.pressed' || !isLarge;
    }),
    book.always('a failed book keeps its position for the next start', ({ before, snapshot: { context, ...snapshot } }) => {
      if (!snapshot.matches('failed')) return true;
      return isSameJson(context.start, before?.context.locator ?? before?.context.start);
    }),
    book.always('each read position, and nothing else, is sent as position.moved', (moment) => {
      const sentPositions = getSentEvents(moment, 'position.moved').map(({ position }) => position);
      return isSameJson(sentPositions, moment.event.type === 'place.changed' ? [moment.event['locator']] : []);
    }),
    book.always('page.hidden is forwarded to the progress machine', (moment) => {
      return (
        moment.event.type !== 'page.hidden' || moment.fired.length === 0 || getSentEvents(moment, 'page.hidden').length === 1
      );
    }),
  ],
  externalExits: { 'book.closing': PROGRESS_WAIT_TEXT },
};

const tracks = rulesFor<typeof tracksMachine>();

const tracksRules: MachineRules = {
  rules: [
    ...playerRules,
    ...createInterruptionRules('tracks'),
    tracks.always('each passed position is sent as position.moved', (moment) => {
      if (moment.event.type !== 'position.passed' || moment.fired.length === 0) return true;
      const { itemId, seconds, totalProgression } = moment.event as Record<string, unknown>;
      return isSameJson(getSentEvents(moment, 'position.moved')[0]?.['position'], { itemId, seconds, totalProgression });
    }),
    tracks.always('only a chosen speed is stored for its title', (moment) => {
      const { medium, progress } = moment.snapshot.context;
      const expected = moment.event.type === 'rate.chosen' ? { titleId: progress.titleId, medium } : undefined;
      return getSentEvents(moment, 'playback.chosen').every((sentEvent) => isSameJson(sentEvent['rateOf'], expected));
    }),
    tracks.always('chosen playback settings are applied and stored', (moment) => {
      const isChosen = ['rate.chosen', 'volume.chosen', 'captions.chosen', 'mute.pressed'].includes(moment.event.type);
      if (!isChosen || moment.fired.length === 0) return true;
      const { playback } = moment.snapshot.context;
      return ['tracks.playback', 'playback.chosen'].every((type) =>
        getSentEvents(moment, type).some((sentEvent) => isSameJson(sentEvent['playback'], playback)),
      );
    }),
  ],
  externalExits: { 'tracks.closing': PROGRESS_WAIT_TEXT },
};

const interactive = rulesFor<typeof interactiveMachine>();

const interactiveRules: MachineRules = {
  rules: [
    ...playerRules,
    interactive.always('each position in an interactive title is sent as position.moved', (moment) => {
      if (moment.event.type !== 'interactive.moved' || moment.fired.length === 0) return true;
      const { node, totalProgression } = moment.event as Record<string, unknown>;
      return isSameJson(getSentEvents(moment, 'position.moved')[0]?.['position'], { node, totalProgression });
    }),
  ],
  externalExits: { 'interactive.closing': PROGRESS_WAIT_TEXT },
};

const notices = rulesFor<typeof noticesMachine>();

const noticesRules: MachineRules = {
  rules: [
    notices.always('Back, and nothing else, leads to the position of the followed link', (moment) => {
      const isPressed = moment.event.type === 'back.pressed' && moment.fired.length > 0;
      const requestedPlaces = getSentEvents(moment, 'place.requested').map(({ place }) => place);
      return isSameJson(requestedPlaces, isPressed ? [moment.before?.context.wayBack ?? null] : []);
    }),
    notices.never('the target of a link does not count as read until the customer reads on there', {
      after: ({ event }) => event.type === 'book.linkPressed',
      what: (moment) =>
        getSentEvents(moment, 'place.changed').some(({ locator }) => !isSameJson(locator, moment.before?.context.wayBack)),
      until: ({ snapshot, event }) => !snapshot.matches({ wayBack: 'looking' }) || event.type === 'back.dismissed',
    }),
    notices.invariant('a position to return to is kept only while it is offered', ({ context, ...snapshot }) => {
      return context.wayBack === null || !snapshot.matches({ wayBack: 'none' });
    }),
    notices.invariant('a skipped chapter is kept exactly while its notice is shown', ({ context, ...snapshot }) => {
      return (context.skipped !== null) === snapshot.matches({ skipped: 'shown' });
    }),
  ],
};

const viewer = rulesFor<typeof viewerMachine>();

/** The viewer's state in which the player of each medium runs. */
const playerStates: Record<Publication['medium'], string> = {
  epub: 'reading',
  pdf: 'reading',
  interactive: 'playing',
  audio: 'listening',
  video: 'listening',
};

const isPlaying = (value: string | undefined): boolean => value !== undefined && Object.values(playerStates).includes(value);

const viewerRules: MachineRules = {
  rules: [
    viewer.always('a title is opened by the player of its medium', (moment) => {
      const title = getPortOutput<OpenedTitle>(moment, 'openTitle');
      if (title === undefined) return true;
      return (
        moment.snapshot.value === playerStates[title.publication.medium] && isSameJson(moment.snapshot.context.opened, title)
      );
    }),
    viewer.always('a title that does not open leads to the screen for its problem', (moment) => {
      const problem =
        getPortProblem(moment, 'openTitle') ??
        (moment.event.type === 'title.refused' && moment.fired.length > 0 ? (moment.event['problem'] as Problem) : null);
      if (problem === null) return true;
      const isNotOwned = problem.kind === 'refused' && problem.code === 'not_owned';
      const otherState = moment.event.type === 'title.refused' || isMissing(null, problem) ? 'notFound' : 'failed';
      return moment.snapshot.value === (isNotOwned ? 'notOwned' : otherState);
    }),
    viewer.always('page.hidden is forwarded to the player', (moment) => {
      const isReceived = moment.event.type === 'page.hidden' && isPlaying(moment.before?.value);
      return !isReceived || getSentEvents(moment, 'page.hidden').length === 1;
    }),
    viewer.always('Buy navigates from a sample, and from nothing else', (moment) => {
      const isBuyPressed = moment.event.type === 'buy.pressed' && isPlaying(moment.before?.value);
      return !isBuyPressed || getSentEvents(moment, 'go').length === (moment.snapshot.context.sample ? 1 : 0);
    }),
    viewer.always('the first state depends on the store and on the title in the URL', (moment) => {
      const { readsHere, instanceId } = moment.snapshot.context;
      if (moment.before !== null) return true;
      const initialState = readsHere ? (instanceId === '' ? 'notFound' : 'opening') : 'inApp';
      return moment.snapshot.value === initialState;
    }),
    viewer.always('Close and the end of a player navigate once', (moment) => {
      const isClosed =
        (moment.event.type === 'close.pressed' && moment.fired.length > 0) ||
        /^xstate\.done\.actor\.(book|tracks|interactive)$/.test(moment.event.type);
      return !isClosed || getSentEvents(moment, 'go').length === 1;
    }),
    viewer.always('a refused title is no longer shown', ({ event, fired, snapshot }) => {
      if (event.type !== 'title.refused' || fired.length === 0) return true;
      return snapshot.matches('notOwned') || snapshot.matches('notFound');
    }),
    viewer.invariant('every player has an opened title', ({ context, value }) => {
      return !['reading', 'listening', 'playing'].includes(value) || context.opened !== null;
    }),
    viewer.always('a purchase leaves only a sample, whose position is saved first', (moment) => {
      const leadsToPurchase = moment.event.type === 'buy.pressed' && getSentEvents(moment, 'go').length > 0;
      return !leadsToPurchase || (moment.snapshot.context.sample && getSentEvents(moment, 'page.hidden').length === 1);
    }),
    viewer.leadsTo('a title opens or its failure is shown', {
      after: (moment) => getPortInput(moment, 'openTitle') !== undefined,
      to: ({ snapshot }) => !snapshot.matches('opening'),
    }),
  ],
};

export const rules: Record<string, MachineRules> = {
  progress: progressRules,
  addresses: addressesRules,
  book: bookRules,
  tracks: tracksRules,
  interactive: interactiveRules,
  notices: noticesRules,
  interruption: interruptionRules,
  viewer: viewerRules,
};
