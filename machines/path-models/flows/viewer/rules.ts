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
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame, getSentEvents, type Rule } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { interruptionRules, createInterruptionRules } from './interruption-rules.ts';

const progress = rulesFor<typeof progressMachine>();

type SavedPlace = { position: unknown };

const isUnsaved = (snapshot: SnapshotFrom<typeof progressMachine> | null | undefined): boolean =>
  snapshot?.matches('unsaved') === true || snapshot?.matches('delayed') === true;

const progressRules: MachineRules = {
  rules: [
    progress.never('no place is lost: nobody leaves before it was saved, or sent a last time', {
      after: ({ event, fired }) => event.type === 'position.moved' && fired.length > 0,
      // The customer chose neither of two places: this one stays in the browser.
      what: ({ snapshot, before }) => snapshot.status === 'done' && before?.matches('conflict') !== true,
      until: (moment) =>
        getPortOutput(moment, 'saveProgress') !== undefined ||
        getPortInput(moment, 'saveLast') !== undefined ||
        moment.event.type === 'place.taken',
    }),
    progress.always('every move is kept in this browser at once', (moment) => {
      const isMove = moment.event.type === 'position.moved' && moment.fired.length > 0;
      return !isMove || getSentEvents(moment, 'place.moved').some(({ position }) => isSame(position, moment.event['position']));
    }),
    progress.always('a place that is kept in this browser is based on the last one that was saved or chosen', (moment) => {
      const known = moment.before?.context.known;
      return getSentEvents(moment, 'place.moved').every((told) => isSame(told['known'], known));
    }),
    progress.always(
      'while another device is ahead, the known version stays, and nothing is saved but by “Stay here”',
      (moment) => {
        if (moment.before?.matches('conflict') !== true) return true;
        const { event, before, snapshot } = moment;
        const isKept = snapshot.matches('conflict') ? isSame(snapshot.context.known, before.context.known) : true;
        return isKept && (getPortInput(moment, 'saveProgress') === undefined || event.type === 'place.dismissed');
      },
    ),
    progress.always('a place that is gone to is one that was offered, or is listed', (moment) => {
      const { conflict, offered, earlier } = moment.before?.context ?? { conflict: null, offered: null, earlier: [] };
      const places = [conflict?.newer, offered, ...earlier].map((each) => each?.position);
      return getSentEvents(moment, 'place.wanted').every(({ place }) => places.some((each) => isSame(each, place)));
    }),
    progress.always('what could not be saved is sent again before the viewer is closed', (moment) => {
      const isClosed = moment.event.type === 'close' && isUnsaved(moment.before);
      return !isClosed || getPortInput(moment, 'saveLast') !== undefined;
    }),
    progress.always('what is saved is where the reader is', (moment) => {
      const asked = getPortInput<SavedPlace>(moment, 'saveProgress') ?? getPortInput<SavedPlace>(moment, 'saveLast');
      return asked === undefined || (asked.position !== null && isSame(asked.position, moment.snapshot.context.position));
    }),
    progress.always('every move is kept', ({ event, fired, snapshot }) => {
      const isKept = event.type !== 'position.moved' || isSame(event['position'], snapshot.context.position);
      return isKept && (fired.length > 0 || event.type !== 'position.moved' || snapshot.matches('closing'));
    }),
    progress.onlyAfter('nothing ends that nobody has closed', {
      cause: ({ event }) => event.type === 'close',
      what: ({ snapshot }) => snapshot.status === 'done',
    }),
    progress.always('a place counts as saved when the server has it, and only then', ({ event, snapshot }) => {
      if (event.type === 'xstate.done.actor.saveProgress') return snapshot.matches('saved') || snapshot.context.conflict !== null;
      return event.type !== 'xstate.error.actor.saveProgress' || isUnsaved(snapshot);
    }),
    progress.always('what was closed ends', (moment) => {
      const { event, snapshot } = moment;
      const isEnd = event.type.endsWith('.actor.saveLast') || event.type.startsWith('xstate.after.closeLimit');
      if (isEnd) return snapshot.status === 'done';
      if (event.type !== 'close') return true;
      const isIdle = moment.before?.matches('saved') === true || moment.before?.matches('conflict') === true;
      return isIdle ? snapshot.status === 'done' : snapshot.matches('closing');
    }),
    progress.always('a page that is about to go saves at once', (moment) => {
      const isLast =
        moment.event.type === 'page.hidden' && (moment.before?.matches('moved') === true || isUnsaved(moment.before));
      return !isLast || getPortInput(moment, 'saveProgress') !== undefined;
    }),
    progress.always(
      'a position that a rate limit refused is sent when its time is over, and no move sends it before',
      (moment) => {
        if (moment.before?.matches('delayed') !== true) return true;
        const isSent = getPortInput(moment, 'saveProgress') !== undefined;
        if (moment.event.type === 'position.moved') return !isSent && moment.snapshot.matches('delayed');
        return !moment.event.type.startsWith('xstate.after.') || isSent;
      },
    ),
    progress.leadsTo('every place is saved sometime, or is one of two to choose from', {
      after: ({ event, fired, snapshot }) => event.type === 'position.moved' && fired.length > 0 && !snapshot.matches('conflict'),
      to: (moment) => (getPortInput(moment, 'saveProgress') ?? getPortInput(moment, 'saveLast')) !== undefined,
    }),
    progress.leadsTo('who closes gets away, even if nothing can be saved', {
      after: ({ event, fired }) => event.type === 'close' && fired.length > 0,
      to: ({ snapshot }) => snapshot.status === 'done',
    }),
  ],
};

const addresses = rulesFor<typeof addressesMachine>();

const addressesRules: MachineRules = {
  rules: [
    addresses.leadsTo('a player that waits for an address is answered', {
      after: ({ event, fired }) => event.type === 'addresses.expired' && fired.length > 0,
      to: (moment) =>
        ['addresses.renewed', 'addresses.refused', 'addresses.failed'].some((type) => getSentEvents(moment, type).length > 0),
    }),
    addresses.always('new addresses reach the player', (moment) => {
      const isRenewed = moment.event.type.startsWith('xstate.done.actor.renew');
      return !isRenewed || getSentEvents(moment, 'addresses.renewed').length === 1;
    }),
    addresses.always('nobody is disturbed by what is tried again by itself', (moment) => {
      return getSentEvents(moment, 'addresses.failed').length === 0 || moment.before?.matches('awaited') === true;
    }),
  ],
};

const player = rulesFor<AnyStateMachine>();

/** The rules of every player. */
const playerRules: readonly Rule[] = [
  player.leadsTo('who closes gets away', {
    after: ({ event, fired }) => event.type === 'close.pressed' && fired.length > 0,
    to: ({ snapshot }) => snapshot.status === 'done',
  }),
  player.always('a title that is not the customer’s any more is given back', (moment) => {
    return moment.event.type !== 'addresses.refused' || getSentEvents(moment, 'title.refused').length === 1;
  }),
  player.always('an address that has expired is asked for anew', (moment) => {
    const isExpired = moment.event.type.endsWith('.expired') && moment.fired.length > 0;
    return !isExpired || getSentEvents(moment, 'addresses.expired').length === 1;
  }),
];

const PROGRESS_WAIT_TEXT = 'its place is saved within two seconds, or not at all';

const book = rulesFor<typeof bookMachine>();

const bookRules: MachineRules = {
  rules: [
    ...playerRules,
    ...createInterruptionRules('book'),
    book.always('a table or picture is shown large when that is asked for, and no longer once a page is turned', (moment) => {
      const { event, fired, snapshot } = moment;
      if (fired.length === 0 || !snapshot.matches('reading')) return true;
      const isLarge = snapshot.matches({ reading: { enlarging: 'enlarged' } });
      if (event.type === 'book.enlargeRequested') return isLarge && getSentEvents(moment, 'book.enlarge').length === 1;
      return event.type !== 'turn.pressed' || !isLarge;
    }),
    book.always('a book that failed goes on where it was', ({ before, snapshot: { context, ...snapshot } }) => {
      if (!snapshot.matches('failed')) return true;
      return isSame(context.start, before?.context.locator ?? before?.context.start);
    }),
    book.always('what is read is saved', (moment) => {
      const moved = getSentEvents(moment, 'position.moved').map(({ position }) => position);
      return isSame(moved, moment.event.type === 'place.read' ? [moment.event['locator']] : []);
    }),
    book.always('a page that is about to go saves the place', (moment) => {
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
    tracks.always('where it plays is saved', (moment) => {
      if (moment.event.type !== 'position.passed' || moment.fired.length === 0) return true;
      const { itemId, seconds, totalProgression } = moment.event as Record<string, unknown>;
      return isSame(getSentEvents(moment, 'position.moved')[0]?.['position'], { itemId, seconds, totalProgression });
    }),
    tracks.always('a speed is kept for its title where it was chosen, and by nothing else', (moment) => {
      const { medium, progress } = moment.snapshot.context;
      const expected = moment.event.type === 'rate.chosen' ? { titleId: progress.titleId, medium } : undefined;
      return getSentEvents(moment, 'playback.chosen').every((told) => isSame(told['rateOf'], expected));
    }),
    tracks.always('how it plays is kept for the next one', (moment) => {
      const isChosen = ['rate.chosen', 'volume.chosen', 'captions.chosen', 'mute.pressed'].includes(moment.event.type);
      if (!isChosen || moment.fired.length === 0) return true;
      const { playback } = moment.snapshot.context;
      return ['tracks.playback', 'playback.chosen'].every((type) =>
        getSentEvents(moment, type).some((told) => isSame(told['playback'], playback)),
      );
    }),
  ],
  externalExits: { 'tracks.closing': PROGRESS_WAIT_TEXT },
};

const interactive = rulesFor<typeof interactiveMachine>();

const interactiveRules: MachineRules = {
  rules: [
    ...playerRules,
    interactive.always('where it is played is saved', (moment) => {
      if (moment.event.type !== 'interactive.moved' || moment.fired.length === 0) return true;
      const { node, totalProgression } = moment.event as Record<string, unknown>;
      return isSame(getSentEvents(moment, 'position.moved')[0]?.['position'], { node, totalProgression });
    }),
  ],
  externalExits: { 'interactive.closing': PROGRESS_WAIT_TEXT },
};

const notices = rulesFor<typeof noticesMachine>();

const noticesRules: MachineRules = {
  rules: [
    notices.always('Back leads to where the link was followed', (moment) => {
      const isPressed = moment.event.type === 'back.pressed' && moment.fired.length > 0;
      const wanted = getSentEvents(moment, 'place.wanted').map(({ place }) => place);
      return isSame(wanted, isPressed ? [moment.before?.context.wayBack ?? null] : []);
    }),
    notices.never('a place that a link led to is not where the customer reads, until they go on there', {
      after: ({ event }) => event.type === 'book.linkPressed',
      what: (moment) =>
        getSentEvents(moment, 'place.read').some(({ locator }) => !isSame(locator, moment.before?.context.wayBack)),
      until: ({ snapshot, event }) => !snapshot.matches({ wayBack: 'looking' }) || event.type === 'back.dismissed',
    }),
    notices.invariant('there is a way back only while one is offered', ({ context, ...snapshot }) => {
      return context.wayBack === null || !snapshot.matches({ wayBack: 'none' });
    }),
    notices.invariant('a chapter that was left out is told of until it is read on', ({ context, ...snapshot }) => {
      return (context.skipped !== null) === snapshot.matches({ skipped: 'told' });
    }),
  ],
};

const viewer = rulesFor<typeof viewerMachine>();

/** The player of each medium. */
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
      const opened = getPortOutput<OpenedTitle>(moment, 'openTitle');
      if (opened === undefined) return true;
      return moment.snapshot.value === playerStates[opened.publication.medium] && isSame(moment.snapshot.context.opened, opened);
    }),
    viewer.always('a title that does not open says why', (moment) => {
      const problem =
        getPortProblem(moment, 'openTitle') ??
        (moment.event.type === 'title.refused' && moment.fired.length > 0 ? (moment.event['problem'] as Problem) : null);
      if (problem === null) return true;
      const isLost = problem.kind === 'refused' && problem.code === 'not_owned';
      const otherwise = moment.event.type === 'title.refused' || isMissing(null, problem) ? 'notFound' : 'failed';
      return moment.snapshot.value === (isLost ? 'notOwned' : otherwise);
    }),
    viewer.always('a player hears that the page is about to go', (moment) => {
      const isHeard = moment.event.type === 'page.hidden' && isPlaying(moment.before?.value);
      return !isHeard || getSentEvents(moment, 'page.hidden').length === 1;
    }),
    viewer.always('a sample leads to what it is a sample of', (moment) => {
      const isBought = moment.event.type === 'buy.pressed' && isPlaying(moment.before?.value);
      return !isBought || getSentEvents(moment, 'go').length === (moment.snapshot.context.sample ? 1 : 0);
    }),
    viewer.always('a store that leaves reading to its app opens nothing', (moment) => {
      const { readsHere, instanceId } = moment.snapshot.context;
      if (moment.before !== null) return true;
      const shown = readsHere ? (instanceId === '' ? 'notFound' : 'opening') : 'inApp';
      return moment.snapshot.value === shown;
    }),
    viewer.always('Close leads back, from wherever it is pressed', (moment) => {
      const isClosed =
        (moment.event.type === 'close.pressed' && moment.fired.length > 0) ||
        /^xstate\.done\.actor\.(book|tracks|interactive)$/.test(moment.event.type);
      return !isClosed || getSentEvents(moment, 'go').length === 1;
    }),
    viewer.always('a title that was lost is no longer shown', ({ event, fired, snapshot }) => {
      if (event.type !== 'title.refused' || fired.length === 0) return true;
      return snapshot.matches('notOwned') || snapshot.matches('notFound');
    }),
    viewer.invariant('what is shown was opened', ({ context, value }) => {
      return !['reading', 'listening', 'playing'].includes(value) || context.opened !== null;
    }),
    viewer.always('only a sample is bought while it is read', (moment) => {
      const goes = moment.event.type === 'buy.pressed' && getSentEvents(moment, 'go').length > 0;
      return !goes || (moment.snapshot.context.sample && getSentEvents(moment, 'page.hidden').length === 1);
    }),
    viewer.leadsTo('a title that is opened is shown, or a word why not', {
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
