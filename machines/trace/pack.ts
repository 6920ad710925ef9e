import type { Input, Plain, Reaction, RecordedEvent, Run, Step, Told, Trace } from './format.ts';
import { digestOf, isHash } from './plain.ts';
import { reader, type Stored, type Table } from './table.ts';

/**
 * A step in the file; `<…>` is the number of a value in the table, -1 stands for what is not there:
 * - `[at, 'start', reactions, told]`
 * - `[at, kind, <to>, <from>, <type>, data, turn, reactions, told]`, kind as in `Input` or `reentrant`; `data` is the event
 *   without its type, 0 when there is none; of a timer its delay stands in the place of the turn
 *
 * A reaction is `[<actor>, <on>, <state>, status or 0, changed]`, what was told `[<by>, <to>, 0 for an input or 1 for an event,
 * value]`. What is missing at an end is empty.
 */
type PackedStep = Plain[];

/** A run in the file. */
export type PackedRun = Omit<Run, 'steps' | 'from'> & { from?: Plain; steps: PackedStep[] };

/** Of a table what writing takes. */
type Writer = Pick<Table, 'put' | 'pack' | 'find'>;

/** Characters of JSON from which what machines did and told is a reference or a hash, unless the table has it. */
const longestChange = 100;

const none = -1;

/** A value that a replay only compares: a long one that did not come from outside is a hash. */
const comparable = (value: Plain, table: Writer): Plain =>
  isHash(value) || JSON.stringify(value).length <= longestChange || table.find(value) !== undefined ? value : digestOf(value);

const packReaction = ({ actor, on, state, status, changed }: Reaction, table: Writer): Plain => {
  const changes = Object.entries(changed).map(([key, value]): [string, Plain] => [key, comparable(value, table)]);
  return [
    table.put(actor),
    table.put(on),
    state === undefined ? none : table.put(state),
    ...(status === undefined && changes.length === 0 ? [] : [status ?? 0]),
    ...(changes.length === 0 ? [] : [table.pack(Object.fromEntries(changes))]),
  ];
};

const packTold = (told: Told, table: Writer): Plain => {
  const [which, value] = 'input' in told ? [0, told.input] : [1, told.event];
  return [table.put(told.by), table.put(told.to), which, table.pack(comparable(value, table))];
};

/** XState says who ended in the event's type and once more beside it. */
const saysItself = ({ type, actorId }: RecordedEvent): boolean =>
  typeof actorId === 'string' && type.endsWith(`.actor.${actorId}`);

const packEvent = (event: RecordedEvent, table: Writer): Plain[] => {
  const { type, actorId, ...data } = event;
  const rest = saysItself(event) || actorId === undefined ? data : { ...data, actorId };
  return [table.put(type), Object.keys(rest).length === 0 ? 0 : table.pack(rest)];
};

const packInput = (input: Input, table: Writer): Plain[] => {
  if (input.kind === 'start') return ['start'];
  const kind = 'reentrant' in input ? 'reentrant' : input.kind;
  const from = 'from' in input && input.from !== undefined ? table.put(input.from) : none;
  const turn = 'turn' in input && input.turn !== undefined ? input.turn : none;
  const ms = input.kind === 'timer' ? input.ms : none;
  return [kind, table.put(input.to), from, ...packEvent(input.event, table), input.kind === 'timer' ? ms : turn];
};

/** A step as the file has it; what is new in it is put into the table. */
export const packStep = ({ at, input, reactions, told = [] }: Step, table: Writer): PackedStep => [
  at,
  ...packInput(input, table),
  reactions.map((reaction) => packReaction(reaction, table)),
  ...(told.length === 0 ? [] : [told.map((each) => packTold(each, table))]),
];

/** A run without its steps, as the file has it. */
export const packHead = ({ from, ...head }: Omit<Run, 'steps'>, table: Writer): Omit<PackedRun, 'steps'> => ({
  ...head,
  ...(from && { from: table.pack(from as unknown as Plain) }),
});

type Unpack = ReturnType<typeof reader>;

const listIn = (value: Plain | undefined): Plain[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new RangeError('A list is missing');
};

const unpackReaction = (packed: Plain, { at, unpack }: Unpack): Reaction => {
  const [actor, on, state, status = 0, changed = {}] = listIn(packed);
  return {
    actor: at(actor) as string,
    on: at(on) as string,
    ...(state === none ? {} : { state: at(state) }),
    ...(status === 0 ? {} : { status: status as string }),
    changed: unpack(changed) as Record<string, Plain>,
  };
};

const unpackTold = (packed: Plain, { at, unpack }: Unpack): Told => {
  const [by, to, which, value = null] = listIn(packed);
  const who = { by: at(by) as string, to: at(to) as string };
  return which === 0 ? { ...who, input: unpack(value) } : { ...who, event: unpack(value) };
};

/** The id that stands at the end of the types with which XState says who ended. */
const endedIn = (type: string): string | undefined => /^xstate\.(?:done|error)\.actor\.(.+)$/.exec(type)?.[1];

const unpackInput = (packed: Plain[], { at, unpack }: Unpack): Input => {
  const [, kind, to, from, typeId, data, turn] = packed;
  const type = at(typeId) as string;
  const rest = (data === 0 ? {} : unpack(data ?? 0)) as Record<string, Plain>;
  const actorId = kind === 'settled' && !('actorId' in rest) ? endedIn(type) : undefined;
  const event: RecordedEvent = { type, ...rest, ...(actorId !== undefined && { actorId }) };
  const input = {
    kind: kind === 'reentrant' ? 'event' : kind,
    to: at(to),
    ...(from === none ? {} : { from: at(from) }),
    event,
    ...(kind === 'reentrant' ? { reentrant: true } : {}),
    ...(turn === none ? {} : { [kind === 'timer' ? 'ms' : 'turn']: turn }),
  };
  // Whether it is one is looked at where files are read.
  return input as unknown as Input;
};

const unpackStep = (packed: Plain, unpack: Unpack): Step => {
  const parts = listIn(packed);
  const isStart = parts[1] === 'start';
  const [reactions, told] = isStart ? parts.slice(2) : parts.slice(7);
  return {
    at: parts[0] as number,
    input: isStart ? { kind: 'start' } : unpackInput(parts, unpack),
    reactions: listIn(reactions).map((each) => unpackReaction(each, unpack)),
    ...(told === undefined ? {} : { told: listIn(told).map((each) => unpackTold(each, unpack)) }),
  };
};

/** A record as its file has it. */
type PackedTrace = Omit<Trace, 'runs'> & { table: Stored; runs: PackedRun[] };

/**
 * A record as it was before it was packed.
 * @throws RangeError when a reference leads nowhere or all would be too large; what is of a wrong type is not looked at
 */
export const unpacked = ({ table, runs, ...about }: PackedTrace): Trace => {
  const values = reader(table);
  return {
    ...about,
    runs: listIn(runs as unknown as Plain).map((each): Run => {
      const { steps, from, ...run } = each as unknown as PackedRun;
      return {
        ...run,
        ...(from === undefined ? {} : { from: values.unpack(from) as never }),
        steps: listIn(steps as unknown as Plain).map((step) => unpackStep(step, values)),
      };
    }),
  };
};

/** A record of any format out of the JSON of its file, its values in their places. */
export const unpackedIn = (json: Trace | PackedTrace): Trace => ('table' in json ? unpacked(json) : json);
