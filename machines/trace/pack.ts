import type { Input, Plain, Reaction, RecordedEvent, Run, Step, CrossMessage, Trace } from './format.ts';
import { withCurrentFields } from './older/fields.ts';
import { toDigest, isHash } from './plain.ts';
import { createReader, type StoredTable, type Table } from './table.ts';

/**
 * A step as stored in the file; `<…>` is the number of a value in the table, -1 if it is missing:
 * - `[at, 'start', reactions, messages]`
 * - `[at, kind, <to>, <from>, <type>, data, turn, reactions, messages]`: kind as in `Input` or
 *   `reentrant`; `data` is the event without its type, 0 if empty; a timer has its delay in place
 *   of the turn
 *
 * A reaction is `[<actor>, <on>, <state>, status or 0, changed]`; a message is `[<from>, <to>, 0
 * for an input or 1 for an event, value]`. Missing values at the end are omitted.
 */
type PackedStep = Plain[];

/** A run as stored in the file. */
export type PackedRun = Omit<Run, 'steps' | 'from'> & { from?: Plain; steps: PackedStep[] };

/** The functions of a table that packing needs. */
type Writer = Pick<Table, 'put' | 'pack' | 'find'>;

/**
 * Maximum characters of JSON of a changed value or message; a longer value is stored as a reference
 * if the table has it, else as a hash.
 */
const MAX_CHANGE_CHARS = 100;

const NO_ID = -1;

/**
 * Shortens a value that a replay only compares: a long value that is not in the table becomes a
 * hash.
 */
const shortenChange = (value: Plain, table: Writer): Plain =>
  isHash(value) || JSON.stringify(value).length <= MAX_CHANGE_CHARS || table.find(value) !== undefined ? value : toDigest(value);

const packReaction = ({ actor, on, state, status, changed }: Reaction, table: Writer): Plain => {
  const changes = Object.entries(changed).map(([key, value]): [string, Plain] => [key, shortenChange(value, table)]);
  return [
    table.put(actor),
    table.put(on),
    state === undefined ? NO_ID : table.put(state),
    ...(status === undefined && changes.length === 0 ? [] : [status ?? 0]),
    ...(changes.length === 0 ? [] : [table.pack(Object.fromEntries(changes))]),
  ];
};

const packMessage = (message: CrossMessage, table: Writer): Plain => {
  const [kindCode, value] = 'input' in message ? [0, message.input] : [1, message.event];
  return [table.put(message.from), table.put(message.to), kindCode, table.pack(shortenChange(value, table))];
};

/** Whether an event's type already contains its `actorId`, as in XState's done and error events. */
const repeatsActorId = ({ type, actorId }: RecordedEvent): boolean =>
  typeof actorId === 'string' && type.endsWith(`.actor.${actorId}`);

const packEvent = (event: RecordedEvent, table: Writer): Plain[] => {
  const { type, actorId, ...data } = event;
  const rest = repeatsActorId(event) || actorId === undefined ? data : { ...data, actorId };
  return [table.put(type), Object.keys(rest).length === 0 ? 0 : table.pack(rest)];
};

const packInput = (input: Input, table: Writer): Plain[] => {
  if (input.kind === 'start') return ['start'];
  const kind = 'reentrant' in input ? 'reentrant' : input.kind;
  const from = 'from' in input && input.from !== undefined ? table.put(input.from) : NO_ID;
  const turn = 'turn' in input && input.turn !== undefined ? input.turn : NO_ID;
  const ms = input.kind === 'timer' ? input.ms : NO_ID;
  return [kind, table.put(input.to), from, ...packEvent(input.event, table), input.kind === 'timer' ? ms : turn];
};

/** Packs a step for the file; adds its new values to the table. */
export const packStep = ({ at, input, reactions, messages = [] }: Step, table: Writer): PackedStep => [
  at,
  ...packInput(input, table),
  reactions.map((reaction) => packReaction(reaction, table)),
  ...(messages.length === 0 ? [] : [messages.map((each) => packMessage(each, table))]),
];

/** Packs a run without its steps for the file. */
export const packHead = ({ from, ...head }: Omit<Run, 'steps'>, table: Writer): Omit<PackedRun, 'steps'> => ({
  ...head,
  ...(from && { from: table.pack(from as unknown as Plain) }),
});

type Unpack = ReturnType<typeof createReader>;

const toList = (value: Plain | undefined): Plain[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new RangeError(`Expected a list, got ${value === null ? 'null' : typeof value}`);
};

const unpackReaction = (packed: Plain, { at, unpack }: Unpack): Reaction => {
  const [actor, on, state, status = 0, changed = {}] = toList(packed);
  return {
    actor: at(actor) as string,
    on: at(on) as string,
    ...(state === NO_ID ? {} : { state: at(state) }),
    ...(status === 0 ? {} : { status: status as string }),
    changed: unpack(changed) as Record<string, Plain>,
  };
};

const unpackMessage = (packed: Plain, { at, unpack }: Unpack): CrossMessage => {
  const [from, to, kindCode, value = null] = toList(packed);
  const endpoints = { from: at(from) as string, to: at(to) as string };
  return kindCode === 0 ? { ...endpoints, input: unpack(value) } : { ...endpoints, event: unpack(value) };
};

/** The actor's id at the end of XState's done and error event types. */
const getEndedActor = (type: string): string | undefined => /^xstate\.(?:done|error)\.actor\.(.+)$/.exec(type)?.[1];

const unpackInput = (packed: Plain[], { at, unpack }: Unpack): Input => {
  const [, kind, to, from, typeId, data, turn] = packed;
  const type = at(typeId) as string;
  const rest = (data === 0 ? {} : unpack(data ?? 0)) as Record<string, Plain>;
  const actorId = kind === 'settled' && !('actorId' in rest) ? getEndedActor(type) : undefined;
  const event: RecordedEvent = { type, ...rest, ...(actorId !== undefined && { actorId }) };
  const input = {
    kind: kind === 'reentrant' ? 'event' : kind,
    to: at(to),
    ...(from === NO_ID ? {} : { from: at(from) }),
    event,
    ...(kind === 'reentrant' ? { reentrant: true } : {}),
    ...(turn === NO_ID ? {} : { [kind === 'timer' ? 'ms' : 'turn']: turn }),
  };
  // The code that reads files validates the result.
  return input as unknown as Input;
};

const unpackStep = (packed: Plain, unpack: Unpack): Step => {
  const parts = toList(packed);
  const isStart = parts[1] === 'start';
  const [reactions, messages] = isStart ? parts.slice(2) : parts.slice(7);
  return {
    at: parts[0] as number,
    input: isStart ? { kind: 'start' } : unpackInput(parts, unpack),
    reactions: toList(reactions).map((each) => unpackReaction(each, unpack)),
    ...(messages === undefined ? {} : { messages: toList(messages).map((each) => unpackMessage(each, unpack)) }),
  };
};

/** A trace as stored in its file. */
type PackedTrace = Omit<Trace, 'runs'> & { table: StoredTable; runs: PackedRun[] };

/**
 * Unpacks a trace; does not detect values of a wrong type.
 * @throws RangeError for an unknown reference or if the values are too large
 */
export const unpackTrace = ({ table, runs, ...about }: PackedTrace): Trace => {
  const values = createReader(table);
  return {
    ...about,
    runs: toList(runs as unknown as Plain).map((each): Run => {
      const { steps, from, ...run } = each as unknown as PackedRun;
      return {
        ...run,
        ...(from === undefined ? {} : { from: values.unpack(from) as never }),
        steps: toList(steps as unknown as Plain).map((step) => unpackStep(step, values)),
      };
    }),
  };
};

/** A trace of any format from its file's JSON, with references resolved and current field names. */
export const readTraceOfAnyFormat = (json: Trace | PackedTrace): Trace =>
  withCurrentFields('table' in json ? unpackTrace(json) : json);
