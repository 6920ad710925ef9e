import type { Checkpoint, CrossMessage, Input, PendingTimer, Plain, RecordedEvent, Run, Step } from '../format.ts';
import { isHash } from '../plain.ts';
import { isObject, type PlainObject } from './names.ts';

/** The current names of events that formats before 5 recorded with other names. */
const currentEventTypes: Readonly<Record<string, string>> = {
  'list.ask': 'list.request',
  'list.asked': 'list.requested',
  'list.look': 'list.requestRange',
  'list.goOn': 'list.loadMore',
  'book.look': 'book.setLook',
  'tracks.tell': 'tracks.reportPosition',
  'tracks.told': 'tracks.positionReported',
  'tax.told': 'tax.changed',
  'place.chosen': 'taxLocation.chosen',
  'place.taken': 'place.accepted',
  'place.wanted': 'place.requested',
  'place.read': 'place.changed',
  'places.seen': 'visibleRange.changed',
  'categories.came': 'categories.loaded',
  'titles.arrived': 'titles.loaded',
  'continuation.wanted': 'continuation.requested',
  'search.left': 'search.closed',
  'action.begun': 'action.started',
  'related.near': 'related.nearViewport',
  'comments.near': 'comments.nearViewport',
};

const oldEventTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(currentEventTypes).map(([oldType, type]) => [type, oldType]),
);

const currentActorIds: Readonly<Record<string, string>> = {
  keptCards: 'savedCards',
  savedTitlesAnew: 'reloadSavedTitles',
  cartEntriesAnew: 'reloadCartEntries',
  cartNews: 'cartSignals',
  creditNews: 'creditSignals',
  wishNews: 'wishListSignals',
  takeAnswer: 'consumeAnswer',
  keepAppearance: 'saveAppearance',
  keepConsent: 'saveConsent',
  rememberLook: 'saveLook',
  recallCode: 'readSavedCode',
  loadWays: 'loadResetMethods',
  grants: 'ownershipSignals',
  begun: 'startedTitles',
  keepCode: 'saveCode',
};

const currentContextKeys: Readonly<Record<string, string>> = { begun: 'startedTitles' };

/** Each old name belongs to a single machine. */
const currentStateNames: Readonly<Record<string, string>> = {
  begun: 'startedTitles',
  stocking: 'loading',
  stocked: 'loaded',
  saying: 'announcement',
  said: 'announced',
  told: 'shown',
  leading: 'redirecting',
};

const currentDelays: Readonly<Record<string, string>> = { patience: 'maxWait' };

const rename = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(names, name) ? (names[name] ?? name) : name;

/** The name of an actor in a trace, such as `root/screen/flow~1`, with current ids. */
const renameActor = (name: string): string =>
  name
    .split('/')
    .map((part) => {
      const [id = '', ...occurrence] = part.split('~');
      return [rename(currentActorIds, id), ...occurrence].join('~');
    })
    .join('/');

const actorEventPattern = /^(xstate\.(?:done|error)\.actor\.)(.+)$/;
const stateEventPattern = /^xstate\.(?:after|done\.state)\./;

const renameEventType = (type: string): string => {
  const [, start, id] = actorEventPattern.exec(type) ?? [];
  if (start !== undefined && id !== undefined) return `${start}${renameActor(id)}`;
  if (!stateEventPattern.test(type)) return rename(currentEventTypes, type);
  const parts = type.split('.');
  return parts.map((part) => rename(currentDelays, rename(currentStateNames, part))).join('.');
};

const renameEvent = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  type: renameEventType(event.type),
  ...(typeof event['actorId'] === 'string' && { actorId: renameActor(event['actorId']) }),
});

const renameState = (state: Plain): Plain => {
  if (typeof state === 'string') return rename(currentStateNames, state);
  if (!isObject(state)) return state;
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [rename(currentStateNames, name), renameState(value)]));
};

const renameKeys = (context: PlainObject): PlainObject =>
  Object.fromEntries(Object.entries(context).map(([key, value]) => [rename(currentContextKeys, key), value]));

const renameInput = (input: Input): Input => {
  if (input.kind === 'start') return input;
  return {
    ...input,
    to: renameActor(input.to),
    ...('from' in input && input.from !== undefined && { from: renameActor(input.from) }),
    event: renameEvent(input.event),
  } as Input;
};

const hasType = (event: Plain): event is RecordedEvent => isObject(event) && typeof event['type'] === 'string';

const renameMessage = (message: CrossMessage): CrossMessage => {
  const endpoints = { from: renameActor(message.from), to: renameActor(message.to) };
  if ('input' in message) return { ...endpoints, input: message.input };
  return { ...endpoints, event: hasType(message.event) ? renameEvent(message.event) : message.event };
};

const renameStep = ({ input, reactions, messages, ...step }: Step): Step => ({
  ...step,
  input: renameInput(input),
  reactions: reactions.map(({ actor, on, state, changed, ...reaction }) => ({
    ...reaction,
    actor: renameActor(actor),
    on: renameEventType(on),
    ...(state !== undefined && { state: renameState(state) }),
    changed: renameKeys(changed),
  })),
  ...(messages && { messages: messages.map(renameMessage) }),
});

/** An actor's snapshot as XState persists it, with the snapshots of its children. */
const renameSnapshot = (snapshot: Plain): Plain => {
  if (!isObject(snapshot)) return snapshot;
  const { value, context, children } = snapshot;
  const renamedChildren = Object.entries(isObject(children) ? children : {}).map(([id, child]): [string, Plain] => {
    if (!isObject(child)) return [renameActor(id), child];
    const { src = null, snapshot: childSnapshot = null } = child;
    const currentSource = typeof src === 'string' ? renameActor(src) : src;
    return [renameActor(id), { ...child, src: currentSource, snapshot: renameSnapshot(childSnapshot) }];
  });
  return {
    ...snapshot,
    ...(value !== undefined && { value: renameState(value) }),
    ...(isObject(context) && { context: renameKeys(context) }),
    ...(isObject(children) && { children: Object.fromEntries(renamedChildren) }),
  };
};

const renameTimer = ({ source, target, id, event, ...timer }: PendingTimer): PendingTimer => ({
  ...timer,
  source: renameActor(source),
  target: renameActor(target),
  id: renameEventType(id),
  event: renameEvent(event),
});

const renameCheckpoint = ({ snapshot, timers }: Checkpoint): Checkpoint => ({
  snapshot: renameSnapshot(snapshot),
  timers: timers.map(renameTimer),
});

/** Translates the names of a run whose format is older than 5. */
export const toCurrentNames = ({ from, steps, ...run }: Run): Run => ({
  ...run,
  ...(from && { from: renameCheckpoint(from) }),
  steps: steps.map(renameStep),
  hasOldNames: true,
});

/**
 * The machines' messages for the comparison with a run that had old names: where the record has
 * only the hash of an event, the event gets its old type, from which that hash was made.
 */
export const withHashedTypes = (expected: readonly CrossMessage[], got: readonly CrossMessage[]): CrossMessage[] =>
  got.map((each, index) => {
    const recorded = expected[index];
    const isHashed = recorded !== undefined && 'event' in recorded && isHash(recorded.event);
    if (!isHashed || !('event' in each) || !hasType(each.event)) return each;
    return { ...each, event: { ...each.event, type: rename(oldEventTypes, each.event.type) } };
  });
